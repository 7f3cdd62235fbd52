package examples

import (
	"strings"
	"testing"

	"kstatus.dev/test/lib/poll"
)

// A set that fails does not prevent others from becoming Current, with fewer slots than sets.
func TestGitops(t *testing.T) {
	t.Parallel()
	ns := live.Cluster(t).Namespace(t)
	dir := t.TempDir()
	write(t, dir, "README.md", "not a set")
	// The Deployment controller itself gives it up, so the set ends with a failure on every machine.
	write(t, dir, "broken/web.yaml", strings.Replace(deployment("broken", broken), "spec:", "spec:\n  progressDeadlineSeconds: 1", 1))
	write(t, dir, "shop/web.yaml", deployment("web", good))
	write(t, dir, "shop/api.yaml", deployment("api", good)+"---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: api}}\n")
	write(t, dir, "blog/web.yaml", deployment("blog", good))
	r := execute(t, "gitops", "-sets", dir, "-n", ns, "-timeout", poll.Patience.String(), "-parallel", "2")
	if r.code != 1 {
		t.Errorf("%s", r)
	}
	last := map[string]string{} // the last status of each set
	for line := range strings.Lines(r.stdout) {
		if fields := strings.Fields(line); len(fields) > 2 {
			last[fields[0]] = fields[1]
		}
	}
	if last["shop"] != "Current" || last["blog"] != "Current" || last["broken"] != "Failed" {
		t.Errorf("the sets end as %v\n%s", last, r)
	}
	if want := "set broken: wait: failed"; !strings.Contains(r.stderr, want) || strings.Count(r.stderr, "set ") != 1 {
		t.Errorf("want one set that fails: %q\n%s", want, r)
	}
}
