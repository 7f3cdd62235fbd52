package explain

import "strings"

// imagePull tells which image cannot be pulled, in the words of the runtime.
func imagePull(n *node) (all []found) {
	for c := range n.containers() {
		switch c.text("state.waiting.reason") {
		case "ErrImagePull", "ImagePullBackOff":
		default:
			continue
		}
		image, text := c.text("image"), c.text("state.waiting.message")
		f := found{
			kind: "ImagePull", text: "image " + image + " cannot be pulled", container: c.name,
			evidence: []Evidence{c.evidence("state.waiting.reason")},
		}
		if strings.Contains(text, "not found") {
			f.kind, f.text = "ImageNotFound", "image "+image+" does not exist in its registry"
		}
		if text != "" {
			f.evidence = append(f.evidence, c.evidence("state.waiting.message"))
		}
		for _, e := range n.told("Failed") {
			if strings.Contains(e.Message, image) {
				f.evidence = append(f.evidence, n.event(e))
				break
			}
		}
		all = append(all, f)
	}
	return all
}
