package explain

import (
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

const resourceGroup = "resource.k8s.io"

var (
	resourceClaim         = status.Kind{Group: resourceGroup, Kind: "ResourceClaim"}
	resourceClaimTemplate = status.Kind{Group: resourceGroup, Kind: "ResourceClaimTemplate"}
	resourceSlice         = status.Kind{Group: resourceGroup, Kind: "ResourceSlice"}
	deviceClass           = status.Kind{Group: resourceGroup, Kind: "DeviceClass"}
)

// deviceRefs returns the ResourceClaims of a Pod that is not scheduled because of them. For a
// claim that does not exist yet, it returns the template.
func (o *object) deviceRefs() (all []objectRef) {
	if message := strings.ToLower(o.schedulingMessage()); !messages.HasAny(message, "all claims", "resourceclaim", "resource claim") {
		return nil
	}
	for c := range o.Each("spec.resourceClaims") {
		name, path := c.Text("resourceClaimName"), c.Path+"resourceClaimName"
		if made := o.Under("status.resourceClaimStatuses[" + c.Text("name") + "]"); name == "" {
			name, path = made.Text("resourceClaimName"), made.Path+"resourceClaimName"
		}
		switch template := c.Text("resourceClaimTemplateName"); {
		case name != "":
			all = append(all, objectRef{Path: path, ID: o.refer(resourceClaim, o.ID.Namespace, name), FollowCurrent: true})
		case template != "":
			all = append(all, objectRef{Path: c.Path + "resourceClaimTemplateName", ID: o.refer(resourceClaimTemplate, o.ID.Namespace, template)})
		}
	}
	return all
}

// A deviceRequest is a request of a ResourceClaim for devices of a class, in any version.
type deviceRequest struct {
	section
	class string
}

// deviceRequests returns the requests of a ResourceClaim, with their alternatives.
func (o *object) deviceRequests() (all []deviceRequest) {
	for r := range o.Each("spec.devices.requests") {
		alternatives := []section{r, r.Under("exactly")}
		alternatives = slices.AppendSeq(alternatives, r.Each("firstAvailable"))
		for _, a := range alternatives {
			if class := a.Text("deviceClassName"); class != "" {
				all = append(all, deviceRequest{a, class})
			}
		}
	}
	return all
}

// deviceClassRefs returns the classes of the devices that a ResourceClaim without an allocation
// requests.
func deviceClassRefs(o *object) (all []objectRef) {
	if o.Has("status.allocation") {
		return nil
	}
	for _, r := range o.deviceRequests() {
		all = append(all, objectRef{Path: r.Path + "deviceClassName", ID: o.refer(deviceClass, "", r.class)})
	}
	return all
}

// deviceLists returns the devices that drivers publish, for a ResourceClaim without an allocation.
func deviceLists(o *object) []List {
	if o.Has("status.allocation") {
		return nil
	}
	return []List{o.list(resourceSlice, "", nil)}
}

// driverOf is the comparison of a CEL expression that selects the devices of one driver.
var driverOf = regexp.MustCompile(`device\.driver\s*==\s*["']([a-z0-9.-]{1,63})["']`)

// devicesMissing finds that no driver publishes the devices that a ResourceClaim requests, or that
// none of them fits.
func devicesMissing(o *object) (all []finding) {
	of := o.list(resourceSlice, "", nil)
	if o.Has("status.allocation") || !o.index.isListed(of) {
		return nil
	}
	slices := o.index.objectsIn(of)
	for _, r := range o.deviceRequests() {
		class := o.index.find(o.refer(deviceClass, "", r.class))
		if class == nil || class.Object == nil {
			continue
		}
		f := finding{
			kind: "DevicesMissing", text: "no device of DeviceClass " + show.Line(r.class) + " can be allocated: ",
			evidence: []Evidence{r.evidence("deviceClassName")}, next: []string{commandForAll(o.ID, "get", "resourceslices"), commandFor(o.ID, "describe", typedSlash(o.ID))},
		}
		driver := ""
		for s := range class.Each("spec.selectors") {
			if m := driverOf.FindStringSubmatch(messages.Head(s.Text("cel.expression"))); m != nil {
				driver = m[1]
				f.evidence = append(f.evidence, s.evidenceAs("cel.expression", "device.driver == "+driver))
			}
		}
		devices := 0
		for _, s := range slices {
			if driver == "" || s.Text("spec.driver") == driver {
				devices += s.Len("spec.devices")
			}
		}
		of := "no driver"
		if driver != "" {
			of = "driver " + driver
		}
		switch {
		case devices > 0:
			f.text += "none of " + text.Count(devices, "published device") + " fits and is free"
		case driver != "":
			f.text += of + " publishes no devices in ResourceSlices"
		default:
			f.text += of + " publishes devices in ResourceSlices"
		}
		f.evidence = append(f.evidence, o.lookupEvidence(text.Count(len(slices), "ResourceSlice")+", "+text.Count(devices, "device")))
		all = append(all, f)
	}
	return all
}
