import { X509Certificate, createPrivateKey } from 'node:crypto';

/**
 * A certificate for other.example that nobody vouches for, valid for a hundred years, and its key: made for the tests and
 * used for nothing else.
 */
const CERTIFICATE =
	'MIIBhjCCAS2gAwIBAgIUFZzwr0W+8NrTDnJsp+D/en3mZNswCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjIwNjIzNDdaGA8yMTI2MTAyOTA2MjM0N1owGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBk+PgSPMwnV38XCXoduC233JA69nhAnIHm7WymQNcFn+mSlf8s/TEpsDlko/+nQYamKGQL9Fa3UYBWyoKH2O+CjUzBRMB0GA1UdDgQWBBRshUq15ir7PFAUC1NS2t9ewwmLyjAfBgNVHSMEGDAWgBRshUq15ir7PFAUC1NS2t9ewwmLyjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCICtFkF8Hkv5xUeMTnGgs7qYCeE1atxDOKowQBpgNqp4jAiAF7b7JHkDk0/QBY9gqqR+HRDmcS4ScI+Hy9MGG4szESQ==';
const KEY =
	'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/5cyrQucoFF7MbvEEoE2pYnJZnIZmo2CjcOAcOKjVgehRANCAAQZPj4EjzMJ1d/Fwl6Hbgtt9yQOvZ4QJyB5u1spkDXBZ/pkpX/LP0xKbA5ZKP/p0GGpihkC/RWt1GAVsqCh9jvg';

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

export const selfSigned = {
	cert: new X509Certificate(bytes(CERTIFICATE)).toString(),
	key: createPrivateKey({ key: bytes(KEY), format: 'der', type: 'pkcs8' }).export({
		format: 'pem',
		type: 'pkcs8',
	}),
};
