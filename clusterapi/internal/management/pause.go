package management

import (
	"encoding/json"
	"strings"
)

// The annotations that kstatus sets on objects that it pauses, for as long as they are paused.
// Package pause describes them.
const (
	PauseBeforeAnnotation  = "kstatus.dev/pause-before"
	PauseStateAnnotation   = "kstatus.dev/pause-state"
	PauseMessageAnnotation = "kstatus.dev/pause-message"
	WakeAnnotation         = "kstatus.dev/wake"
)

// A PauseRecord is the value of PauseBeforeAnnotation.
type PauseRecord struct {
	Paused bool   `json:"paused"` // the object was paused before
	By     string `json:"by"`     // who has paused it
}

// movePrefix begins PauseRecord.By of a move.
const movePrefix = "move "

// ByMove returns PauseRecord.By of a move.
func ByMove(id string) string { return movePrefix + id }

// Move returns the ID of the move that has paused the object. It is empty if something else has.
func (r *PauseRecord) Move() string {
	if r == nil {
		return ""
	}
	id, isMove := strings.CutPrefix(r.By, movePrefix)
	if !isMove {
		return ""
	}
	return id
}

// ReadPauseRecord returns the record in the annotations of an object, and nil without one. If
// somebody has changed it so that it cannot be read, By is "pause".
func ReadPauseRecord(annotations map[string]string) *PauseRecord {
	value, ok := annotations[PauseBeforeAnnotation]
	if !ok {
		return nil
	}
	r := &PauseRecord{}
	if json.Unmarshal([]byte(value), r) != nil {
		return &PauseRecord{By: "pause"}
	}
	return r
}
