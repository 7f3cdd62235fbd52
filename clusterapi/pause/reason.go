package pause

// A Reason says why an object has its state. Reasons are stable; messages are not.
type Reason string

// These are the reasons of objects.
const (
	ReasonPaused       Reason = "Paused"       // Paused=True, after the pause
	ReasonPausedBefore Reason = "PausedBefore" // Paused=True, and the target had been paused before
	ReasonQuiet        Reason = "Quiet"        // no write in a window, after another sign
	ReasonReleased     Reason = "Released"     // the annotation block-move was removed
	ReasonTemplate     Reason = "Template"     // its kind has no status, and there was no write in a window
	ReasonNotPausedYet Reason = "NotPausedYet" // its target is not paused yet
	ReasonNotReported  Reason = "NotReported"  // Paused is not True, or is missing
	ReasonOldReport    Reason = "OldReport"    // Paused is for an older generation, or from before the pause
	ReasonBlockMove    Reason = "BlockMove"    // it has the annotation block-move
	ReasonWritten      Reason = "Written"      // written within the window
	ReasonNoReport     Reason = "NoReport"     // its kind does not report Paused
	ReasonForbidden    Reason = "Forbidden"    // its kind may not be read
	ReasonUnreadable   Reason = "Unreadable"   // its kind cannot be read at the moment

	ReasonUnpaused       Reason = "Unpaused"       // Paused=False for the latest generation
	ReasonReported       Reason = "Reported"       // its status was written after the pause
	ReasonStaysPaused    Reason = "StaysPaused"    // it is still paused, on purpose
	ReasonNotUnpausedYet Reason = "NotUnpausedYet" // its target is still paused
	ReasonNoSign         Reason = "NoSign"         // nothing was written, not even after it was woken
)

// These are the reasons of targets. A target may also have ReasonForbidden or ReasonUnreadable.
const (
	ReasonObjectsBusy     Reason = "ObjectsBusy"     // objects below it are not done
	ReasonUnpausedByOther Reason = "UnpausedByOther" // somebody else has unpaused it meanwhile
	ReasonPausedByOther   Reason = "PausedByOther"   // somebody else has paused it meanwhile
	ReasonDeleted         Reason = "Deleted"         // it was deleted meanwhile
	ReasonReplaced        Reason = "Replaced"        // it was deleted, and another one has its name
	ReasonNotFound        Reason = "NotFound"        // it does not exist
	ReasonBeingMoved      Reason = "BeingMoved"      // a move has paused it
	ReasonNotRecorded     Reason = "NotRecorded"     // it was paused by somebody else, or is not paused
	ReasonWriteFailed     Reason = "WriteFailed"     // it cannot be written
	ReasonNotSupported    Reason = "NotSupported"    // its kind is not of Cluster API
)
