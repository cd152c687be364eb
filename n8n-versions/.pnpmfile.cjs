/**
 * Peer dependencies are ignored, as npm's legacy-peer-deps does it: all of n8n's packages share one version of each, found
 * by Node where the packages stand. Heeded, they would give n8n a second engine beside its own.
 */
module.exports = {
	hooks: {
		/** @param {{ peerDependencies?: object, peerDependenciesMeta?: object }} manifest */
		readPackage(manifest) {
			delete manifest.peerDependencies;
			delete manifest.peerDependenciesMeta;
			return manifest;
		},
	},
};
