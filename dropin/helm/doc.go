// Package helm makes the waits of a program with the SDK of Helm 4 use the engine of kstatus.dev.
//
// The change is one line. Instead of kube.New, the configuration gets a wrapped client:
//
//	configuration.KubeClient = dropinhelm.Wrap(kube.New(getter))
//
// Installs, upgrades, rollbacks, uninstalls and hooks then wait with a few requests, whatever the
// number of objects. A wait does not accept a status from before the change that it follows. If it
// fails, the error names each object that is not ready, and the cause.
//
// # What a wait requires
//
//	Wait             objects are Current in the profile started: a running Job is ready
//	WaitWithJobs     objects are Current in the default profile: Jobs have completed
//	WaitForDelete    objects do not exist
//	WatchUntilReady  Jobs and Pods of hooks have completed; other hooks are not waited for
//
// # When a wait ends
//
// As with Helm, a failed object does not end a wait while others are in progress. The wait ends
// when each object is ready or has failed, and then returns an error if one has failed. Only
// failures count that the controller of the object reports as final, such as a Deployment that has
// exceeded its progress deadline. A crash loop may end when another object is ready, so the wait
// goes on until the timeout. The error then has the crash loop as the cause. An object that may not
// be read ends the wait at once.
//
// With [Client.FailFast], the first failure ends the wait. A crash loop then counts after 30
// seconds, and other failures after the times of kstatus wait.
//
// # Strategies and options
//
// Only the strategy watcher uses kstatus. The strategies legacy and hookOnly are those of Helm.
//
// The options of a wait are functions on a type that other packages cannot read, such as
// kube.WithWaitContext and kube.WithKStatusReaders. A wait with kstatus does not use them. [Client]
// has fields in their place.
//
// client.go has the client, waiter.go the waits, and unfinished.go their error.
package helm
