package classify

import (
	"regexp"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/servers"
)

// This file is the only one that decides by the words of a service. Each decision is about a
// failure for which the service has neither a status nor a code of its own.

// quotas are the words for a quota that is used up, by service and status.
var quotas = []struct {
	service string
	code    int
	words   []string
}{
	// https://opendev.org/openstack/nova/src/branch/master/nova/exception.py: OverQuota and its
	// subclasses, PortLimitExceeded.
	{compute, 403, []string{"Quota exceeded", "Maximum number of ports exceeded"}},
	// https://opendev.org/openstack/octavia/src/branch/master/octavia/common/exceptions.py:
	// QuotaException.
	{loadBalancer, 403, []string{"Quota has been met for resources"}},
	// https://opendev.org/openstack/cinder/src/branch/master/cinder/exception.py: QuotaError and
	// its subclasses.
	{volume, 413, []string{"exceeds allowed", "exceeded for quota", "Quota exceeded", "Maximum number of"}},
}

// quotaWording reports whether a quota is used up. In a path without a known service, the words of
// all services count.
func quotaWording(a answer) bool {
	for _, q := range quotas {
		if a.code == q.code && (a.service == q.service || a.service == "") && containsAny(a.text, q.words) {
			return true
		}
	}
	return false
}

// immutableWording reports whether a load balancer is changing.
// https://opendev.org/openstack/octavia/src/branch/master/octavia/common/exceptions.py:
// ImmutableObject, LBPendingStateError.
func immutableWording(text string) bool {
	return containsAny(text, []string{"is immutable and cannot be updated", "Invalid state PENDING_"})
}

// tooLargeWording reports whether a value is too long or metadata has too many items.
// https://opendev.org/openstack/nova/src/branch/master/nova/exception.py: MetadataLimitExceeded;
// https://python-jsonschema.readthedocs.io: maxLength, maxItems.
func tooLargeWording(a answer) bool {
	return a.code == 403 && strings.Contains(a.text, "Maximum number of metadata items exceeds") ||
		a.code == 400 && strings.HasSuffix(strings.TrimSpace(a.text), "is too long")
}

// noDiskWording reports whether the flavor of a server without a volume has no disk.
// https://opendev.org/openstack/nova/src/branch/master/nova/exception.py:
// BootFromVolumeRequiredForZeroDiskFlavor.
func noDiskWording(text string) bool {
	return strings.Contains(text, "Only volume-backed servers are allowed for flavors with zero disk")
}

// severalMatchWording reports whether a reference matches several things.
// https://opendev.org/openstack/nova/src/branch/master/nova/exception.py: NetworkAmbiguous.
func severalMatchWording(text string) bool {
	return strings.Contains(text, "Multiple possible networks")
}

// noValidHost reports whether the scheduler has found no host for a server. A fault has no type.
// https://opendev.org/openstack/nova/src/branch/master/nova/exception.py: NoValidHost.
func noValidHost(f servers.Fault) bool { return strings.Contains(f.Message, "No valid host") }

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// echo matches the value that Nova and keystone repeat when they reject it. It may be the user
// data of a server or a password.
// https://opendev.org/openstack/nova/src/branch/master/nova/api/validation/validators.py
var echo = regexp.MustCompile(`(?s)^(Invalid input for field(?:/attribute)? '?[^\s':]*?'?)(?:\. Value: |: )(.*)$`)

// unexpected matches the names of fields that a service does not have.
var unexpected = regexp.MustCompile(`Additional properties are not allowed \([\w', -]{1,200}\)$`)

// withoutValues removes the value that a service repeats. It keeps the name of the field and the
// words at the end, such as "is too long".
func withoutValues(text string) string {
	// A validator of JSON adds the schema.
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\nFailed validating")
	parts := echo.FindStringSubmatch(text)
	if parts == nil {
		return text
	}
	problem := "the value is invalid"
	if names := unexpected.FindString(parts[2]); names != "" {
		problem = names
	} else if last := parts[2][strings.LastIndexAny(parts[2], `'"}]`)+1:]; strings.HasPrefix(last, " is ") {
		problem = "the value" + last
	}
	return parts[1] + ": " + problem
}
