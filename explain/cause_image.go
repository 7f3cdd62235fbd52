package explain

import (
	"maps"
	"slices"
	"strings"

	"kstatus.dev/explain/internal/messages"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/status"
)

// A pullPattern recognizes one way in which an image pull fails, by the errors of
// registries and container runtimes.
type pullPattern struct {
	words []string // a text matches if it has one of them; lower case
	kind  string
	text  string // about the image or, with host, the registry
	host  bool   // the problem is the registry, not the image
}

// The patterns, in the order in which they are tried. A message may match several: "no
// match for platform in manifest: not found".
var pullPatterns = []pullPattern{
	{[]string{"toomanyrequests", "too many requests", "pull rate limit"}, "ImageRateLimited", "rejects the pull: its rate limit is reached", true},
	{[]string{"no space left on device"}, "NoDiskSpace", "does not fit on the disk of the node", false},
	{[]string{"signature validation failed", "signaturevalidationfailed", "source image rejected", "a signature was required"}, "ImageSignature", "is rejected because of its signature", false},
	{[]string{"no match for platform", "no image found in image index for architecture", "no image found in manifest list for architecture", "no matching manifest for", "image operating system", "exec format error"}, "ImagePlatform", "is not built for the platform of the node", false},
	{[]string{"repository does not exist or may require", "insufficient_scope"}, "ImageAccessDenied", "cannot be pulled: access is denied, or its repository does not exist", false},
	{[]string{"manifest unknown", "manifest_unknown", "name unknown", "name_unknown", "repository does not exist", "repository not found", "not found: manifest", "does not exist or no pull access"}, "ImageNotFound", "does not exist in its registry", false},
	{[]string{"unauthorized", "forbidden", "pull access denied", "access to the resource is denied", "no basic auth credentials", "authentication required",
		"authorization failed", "authorization token has expired", "denied: ", "invalid username/password", "permission_denied", "permission denied"}, "ImageAccessDenied", "cannot be pulled: access is denied", false},
	{[]string{"500 internal server error", "502 bad gateway", "503 service unavailable", "504 gateway"}, "RegistryUnreachable", "returns a server error", true},
	{[]string{"blob unknown", "404 not found", "status 404", ": not found", "not_found", "code = notfound"}, "ImageNotFound", "does not exist in its registry", false},
	{[]string{"did not resolve to an alias", "short name mode is enforcing"}, "InvalidImageName", "names no registry, and the container runtime has no default registry for it", false},
	{[]string{"pull qps exceeded"}, "ImagePull", "cannot be pulled yet: the kubelet limits its rate of pulls (registryPullQPS)", false},
}

// imagePull finds which images cannot be pulled, and why.
func imagePull(o *object) (all []finding) {
	for c := range o.containers() {
		f := finding{container: c.name, image: c.image(), evidence: []Evidence{c.evidence("state.waiting.reason")}}
		reason := c.Text("state.waiting.reason")
		switch reason {
		case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "SignatureValidationFailed":
			c.pullFailure(&f)
		case "ErrImageNeverPull":
			f.kind, f.text = "ImageNeverPull", "image "+c.image()+" is not on the node, and imagePullPolicy is Never"
			f.evidence = append(f.evidence, c.spec.evidence("imagePullPolicy"))
		case "InvalidImageName":
			f.kind, f.text = "InvalidImageName", "image name "+show.Quoted(c.image())+" is not valid"
			f.evidence = append(f.evidence, c.spec.evidence("image"))
		case "ImageInspectError":
			f.kind, f.text = "ImagePull", "image "+c.image()+" cannot be inspected on the node"
		default:
			if !c.pullFailed() {
				continue
			}
			c.pullFailure(&f)
		}
		if c.Has("state.waiting.message") {
			f.evidence = append(f.evidence, c.evidence("state.waiting.message"))
		}
		if _, earlier := c.pullMessage(); earlier != nil {
			f.evidence = append(f.evidence, o.eventEvidence(*earlier))
		} else if all := c.pullFailures(); len(all) > 0 {
			f.evidence = append(f.evidence, o.eventEvidence(all[0]))
		}
		f.next = append(f.next, c.nextCommands(f.kind)...)
		all = append(all, f)
	}
	return all
}

// nextCommands returns commands that show more about a failed image pull.
func (c container) nextCommands(kind string) []string {
	o, node := c.pod, nodeWord(c.pod.Text("spec.nodeName"))
	describe := commandFor(o.ID, "describe", slash(o.ID))
	switch kind {
	case "NoDiskSpace":
		return []string{describe, commandForAll(o.ID, "describe", node)}
	case "ImagePlatform":
		return []string{describe, commandForAll(o.ID, "get", node, "-L", "kubernetes.io/arch,kubernetes.io/os")}
	}
	return []string{describe}
}

// pullFailure explains a failed pull as precisely as the messages allow.
func (c container) pullFailure(f *finding) {
	image := c.image()
	text, _ := c.pullMessage()
	f.kind, f.text = "ImagePull", pullFailedText(image)
	if way, ok := pullPatternOf(text); ok {
		f.kind, f.text = way.kind, "image "+image+" "+way.text
		if way.host {
			f.text = "registry " + registryOf(image) + " " + way.text
			f.evidence = append(f.evidence, c.spec.evidence("image"))
		}
	} else if say, ok := messages.ConnectionError(text); ok || c.Text("state.waiting.reason") == "RegistryUnavailable" {
		f.kind, f.text = "RegistryUnreachable", "registry "+registryOf(image)+" cannot be reached"
		if ok {
			f.text += ": " + say
		}
		f.evidence = append(f.evidence, c.spec.evidence("image"))
	}
	if f.kind == "ImageAccessDenied" {
		c.pullSecrets(f)
	}
}

// pullMessage returns what is known about a failed pull, in lower case and without the image: the
// message of the container with the latest event. If they have no reason, an earlier event may, which
// is then the second result.
func (c container) pullMessage() (text string, earlier *Event) {
	all := c.pullEvents()
	text = c.Text("state.waiting.message")
	if len(all) > 0 {
		text, all = text+"\n"+all[0].Message, all[1:]
	}
	if text = c.plainPullError(text); hasPullReason(text) {
		return text, nil
	}
	for i := range all {
		if reason := c.plainPullError(all[i].Message); hasPullReason(reason) {
			return reason, &all[i]
		}
	}
	return text, nil
}

// plainPullError returns an error in lower case, without the image.
func (c container) plainPullError(text string) string {
	return strings.ToLower(withoutImage(messages.Head(text), c.image()))
}

// hasPullReason reports whether an error shows why a pull failed.
func hasPullReason(text string) bool {
	_, isConnection := messages.ConnectionError(text)
	_, isPattern := pullPatternOf(text)
	return isConnection || isPattern
}

// pullFailedText is the text about an image if the reason of the failed pull is unknown.
func pullFailedText(image string) string { return "image " + image + " cannot be pulled" }

// pullPatternOf returns the first pattern that a text matches. A connection error while a
// token is requested does not count as denied access.
func pullPatternOf(text string) (pullPattern, bool) {
	_, broken := messages.ConnectionError(text)
	for _, way := range pullPatterns {
		if !messages.HasAny(text, way.words...) {
			continue
		}
		if broken && (way.kind == "ImageNotFound" || way.kind == "ImageAccessDenied") && messages.HasAny(text, "dial tcp", "x509", "no such host", "failed to do request", "proxyconnect") {
			continue
		}
		return way, true
	}
	return pullPattern{}, false
}

// pullEvents returns the events about failed pulls, the latest first.
func (c container) pullEvents() (all []Event) {
	for _, e := range c.events("Failed", "InspectFailed", "ErrImageNeverPull") {
		if strings.HasPrefix(e.Message, "Error: ") {
			continue // it has only the reason
		}
		if strings.Contains(messages.Head(e.Message), c.image()) {
			all = append(all, e)
		}
	}
	return all
}

// pullFailures returns the events about failed pulls, or else those that have only the reason.
func (c container) pullFailures() []Event {
	if all := c.pullEvents(); len(all) > 0 {
		return all
	}
	return slices.DeleteFunc(c.events("Failed"), func(e Event) bool {
		return e.Message != "Error: ErrImagePull" && e.Message != "Error: ImagePullBackOff"
	})
}

// pullFailed reports whether a container waits because its image could not be pulled: the
// kubelet reported a failure and no later success.
func (c container) pullFailed() bool {
	if !c.isCreating() {
		return false
	}
	failed := c.pullFailures()
	if len(failed) == 0 {
		return false
	}
	pulled := c.events("Pulled", "Created", "Started")
	return len(pulled) == 0 || pulled[0].Last.Before(failed[0].Last)
}

// pullSecrets adds the Secrets that were used for the pull, and whether they exist.
func (c container) pullSecrets(f *finding) {
	o := c.pod
	if o.Len("spec.imagePullSecrets") == 0 {
		f.text += "; its Pod has no imagePullSecrets"
		f.evidence = append(f.evidence, o.evidence("spec.imagePullSecrets"))
	}
	for ref := range o.Each("spec.imagePullSecrets") {
		id := o.refer(secret, o.ID.Namespace, ref.Text("name"))
		f.evidence = append(f.evidence, ref.evidence("name"))
		switch to := o.index.find(id); {
		case to == nil:
		case to.isMissing():
			f.text += "; " + kindAndName(id) + " not found"
			f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: id, Value: "not found"})
		case to.Object != nil:
			f.evidence = append(f.evidence, Evidence{From: OriginLookup, Object: id, Value: "exists"})
		}
	}
	for _, e := range o.eventsWith("FailedToRetrieveImagePullSecret") {
		f.evidence = append(f.evidence, o.eventEvidence(e))
		break
	}
}

// isMissing reports whether an object was looked up and does not exist.
func (o *object) isMissing() bool {
	return o.Object == nil && o.Result.Status == status.NotFoundStatus
}

// withoutImage removes the names of an image from a text, so that they do not match an
// error pattern.
func withoutImage(text, image string) string {
	for _, name := range [...]string{image, strings.TrimSuffix(repositoryOf(image), ":")} {
		if len(name) > 2 {
			text = strings.ReplaceAll(text, name, "IMAGE")
		}
	}
	return text
}

// repositoryOf returns the name of an image without its registry, tag and digest.
func repositoryOf(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if host := registryOf(image); strings.HasPrefix(image, host+"/") {
		image = image[len(host)+1:]
	}
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		image = image[:colon]
	}
	return image
}

// registryOf returns the registry of an image.
func registryOf(image string) string {
	host, _, ok := strings.Cut(image, "/")
	if ok && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	return "docker.io"
}

// mergeImages merges the groups that only report a failed pull into the first group that
// has the reason. A kubelet reports the reason after a pull, but not during the back-off.
func mergeImages(all []*group) []*group {
	explained := map[string][]*group{} // by image, the first two groups
	for _, g := range all {
		for image := range g.images {
			if len(explained[image]) < 2 {
				explained[image] = append(explained[image], g)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(vague *group) bool {
		image := vague.first.image
		i := slices.IndexFunc(explained[image], func(g *group) bool { return g != vague })
		if i < 0 || image == "" || vague.first.text != pullFailedText(image) {
			return false
		}
		maps.Copy(explained[image][i].at, vague.at)
		for _, id := range vague.blocks {
			explained[image][i].block(id, vague.explains[id])
			explained[image][i].affected[id] += vague.affected[id]
		}
		return true
	})
}
