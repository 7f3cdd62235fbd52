// Package importers uses cli-utils as programs do whose tests are not part of test/dropin/suites: kpt,
// config-sync, timoni, flux, fleet, pulumi-kubernetes and others. Its test rewrites the imports to
// those of the façades, and compiles it again.
package importers
