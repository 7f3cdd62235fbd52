package examples

import (
	"strings"
	"testing"
)

// A set that times out does not prevent others from becoming Current, with fewer slots than
// sets.
func TestGitops(t *testing.T) {
	t.Parallel()
	ns := live.Cluster(t).Namespace(t)
	dir := t.TempDir()
	web, api, blog, bad := deployment("web", good), deployment("api", good), deployment("blog", good), deployment("broken", broken)
	applyDeployments(t, ns, strings.Join([]string{web, api, blog, bad}, "---"))
	write(t, dir, "README.md", "not a set")
	write(t, dir, "broken/web.yaml", bad)
	write(t, dir, "shop/web.yaml", web)
	write(t, dir, "shop/api.yaml", api+"---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: api}}\n")
	write(t, dir, "blog/web.yaml", blog)
	r := execute(t, "gitops", "-sets", dir, "-n", ns, "-timeout", "10s", "-parallel", "2")
	if r.code != 1 {
		t.Errorf("%s", r)
	}
	last := map[string]string{} // the last status of each set
	for line := range strings.Lines(r.stdout) {
		if fields := strings.Fields(line); len(fields) > 2 {
			last[fields[0]] = fields[1]
		}
	}
	if last["shop"] != "Current" || last["blog"] != "Current" || last["broken"] != "InProgress" {
		t.Errorf("the sets end as %v\n%s", last, r)
	}
	if want := "set broken: wait: failed"; !strings.Contains(r.stderr, want) || strings.Count(r.stderr, "set ") != 1 {
		t.Errorf("want one set that fails: %q\n%s", want, r)
	}
}
