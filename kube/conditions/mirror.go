package conditions

// StaleReport is the reason of a mirrored condition whose source has not been
// looked at since its spec has changed.
const StaleReport = "StaleReport"
