// Package cloud is what the provider does in OpenStack. A [Directory] opens a [Cloud] for the
// credentials in a Secret. The methods of a Cloud create, find and delete the resources of one
// cluster or one machine.
//
// All methods follow these rules:
//
//   - They return at once, and never wait for a resource. A resource in progress is an error.
//   - All errors are a *failure.Failure, which says what to report and when to try again.
//   - A resource has a name that depends only on its owner, and a mark of the owner. Ensure methods
//     find it with both, and create it only without a match. So a lost response does not create a
//     second resource, and nothing depends on a status.
//   - A resource without the mark is never changed or deleted.
package cloud
