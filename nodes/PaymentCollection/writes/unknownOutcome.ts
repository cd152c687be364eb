import { ReportedError } from '../../shared/errors/failures';

/** Told to the user when nobody can know whether a write was carried out: its message begins with UNKNOWN. */
export class UnknownOutcome extends ReportedError {}
