package hostile

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// processorTime returns how much of a processor a process has used; zero if it has ended.
func processorTime(p *os.Process) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program may have blanks
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	const tick = 10 * time.Millisecond
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}
