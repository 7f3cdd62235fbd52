package status

import "kstatus.dev/status/schema"

// sourceOf describes the source of an expectation.
func sourceOf(e *schema.Expectation) string {
	if e.Source == "" {
		return "its schema"
	}
	return "the schema of " + e.Source
}

// nameOf describes the kind that has a status subresource.
func nameOf(e *schema.Expectation) string {
	if e.Source == "" {
		return "its kind"
	}
	return e.Source
}

// generationDeclarer describes, to follow "which", what declares or shows an observed
// generation. It is empty if nothing does.
func generationDeclarer(e *schema.Expectation) string {
	switch {
	case e.ObservedGeneration == schema.TristateYes:
		return sourceOf(e) + " declares"
	case e.ObservedGeneration == schema.TristateUnknown && e.Peers.ObservedGeneration == schema.TristateYes:
		return e.Peers.Example + " has"
	}
	return ""
}

// statusDeclarer describes, to follow "although", what declares or shows a status. It is empty
// if nothing does.
func statusDeclarer(e *schema.Expectation) string {
	switch {
	case e.Status == schema.TristateYes:
		return sourceOf(e) + " declares a status"
	case e.Status == schema.TristateUnknown && e.Peers.Status == schema.TristateYes:
		return e.Peers.Example + " has a status"
	}
	return ""
}
