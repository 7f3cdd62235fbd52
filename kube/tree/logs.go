package tree

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kstatus.dev/explain"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
)

const (
	maxLogs   = 5        // number of logs.
	logBytes  = 64 << 10 // bytes of each log.
	lineBytes = 2 << 10  // bytes of each line, without the ellipsis.
)

// missingLogPrefix is the beginning of a kubelet's response for a container that no
// longer exists on its node.
var missingLogPrefix = []byte("unable to retrieve container logs for ")

// planLogs returns the requests for the last lines of logs.
func (c *collection) planLogs(_ context.Context, queries []explain.Query) (requests []request) {
	if !c.Logs {
		return nil
	}
	for _, q := range queries {
		if c.logCount++; c.logCount > maxLogs {
			c.addGap("log of "+q.Log.Container+" in "+q.Log.Pod.String(), fmt.Sprintf("not read: at most %d logs are", maxLogs))
			continue
		}
		requests = append(requests, c.readLog(q.Log))
	}
	return requests
}

func (c *collection) readLog(w explain.LogID) request {
	return request{
		what: "log of " + w.Container + " in " + w.Pod.String(),
		send: func(ctx context.Context) (answer, error) {
			if err := cmp.Or(guard.CheckName("namespace", w.Pod.Namespace), guard.CheckName("object", w.Pod.Name)); err != nil {
				return answer{}, err
			}
			q := c.client.Discovery.RESTClient().Get().
				AbsPath("/api/v1/namespaces", w.Pod.Namespace, "pods", w.Pod.Name, "log").
				Param("container", w.Container).
				Param("tailLines", strconv.FormatInt(c.TailLines, 10)).
				Param("limitBytes", strconv.Itoa(logBytes))
			if w.Previous {
				q = q.Param("previous", "true")
			}
			text, err := q.DoRaw(ctx)
			return answer{text: text}, err
		},
		handle: func(a answer, err error) []request {
			log := explain.Log{LogID: w}
			switch {
			case apierrors.IsNotFound(err), err == nil && bytes.HasPrefix(a.text, missingLogPrefix):
				log.Error, log.Gone = "the log no longer exists", true
			case err != nil: // the response contains the error instead of the log
				log.Error = readErrorOf(err, "get", "pods/log").text
			default:
				log.Lines = lines(a.text)
			}
			if !c.KeepSecrets {
				log = c.redactor.Log(log)
			}
			c.facts.Logs = append(c.facts.Logs, log)
			return nil
		},
	}
}

// lines splits a text into lines, and cuts long ones.
func lines(log []byte) (all []string) {
	for line := range strings.Lines(string(log)) {
		line = strings.TrimRight(line, "\r\n")
		all = append(all, text.Cut(line, lineBytes+len(text.Ellipsis)))
	}
	return all
}
