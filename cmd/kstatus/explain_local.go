package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/explain"
)

// explainLocal explains objects of files. Everything in the files is known, also
// what is not asked about.
func (x *explainCommand) explainLocal(ctx context.Context, args []string, j judge) error {
	if err := x.wantsFiles(); err != nil {
		return err
	}
	rec, err := x.recording()
	if err != nil {
		return err
	}
	if rec != nil {
		return x.replay(rec, args)
	}
	j.explain, j.things = true, true
	s := &subject{facts: &explain.Facts{Now: j.now}, named: len(args) > 0 && !request{args: args}.byType()}
	all, err := x.factsIn(ctx, args, &j, s.facts, &s.tally, func(v verdict) {
		if v.unjudged {
			x.complain(v)
		}
	})
	if err != nil {
		return err
	}
	for _, v := range all {
		s.asked = append(s.asked, v)
		s.tally.add(v)
		x.complain(v)
	}
	return x.tell(j, s)
}

// factsIn reads the facts that files hold, and returns the verdicts on the
// objects that are asked about. Every verdict is heard; what cannot be judged is
// counted.
func (g *getCommand) factsIn(ctx context.Context, args []string, j *judge, facts *explain.Facts, t *tally, hear func(verdict)) ([]verdict, error) {
	pieces, err := g.pieces(ctx, j, t)
	if err != nil {
		return nil, err
	}
	wanted, err := g.filter()
	if err != nil {
		return nil, err
	}
	var all []verdict
	var redact explain.Redactor
	for some := range inOrder(pieces, runtime.GOMAXPROCS(0), j.known) {
		for _, k := range some {
			hear(k.verdict)
			switch {
			case k.verdict.unjudged:
				t.add(k.verdict)
			case k.event != nil:
				facts.Events = append(facts.Events, redact.Event(*k.event))
			default:
				facts.Things = append(facts.Things, redact.Thing(*k.verdict.thing))
				if wanted(k.verdict.thing.Object) {
					all = append(all, k.verdict)
				}
			}
		}
	}
	return askedFor(args, all)
}

// wantsFiles refuses what --local cannot mean.
func (g *getCommand) wantsFiles() error {
	if len(g.files) == 0 && g.kustomize == "" {
		return usagef("--local: want -f FILE or -k DIR with it")
	}
	if g.fieldSelector != "" {
		return usagef("--field-selector: a server selects by fields; with --local there is none")
	}
	return nil
}

// A known is what a file tells of: an object with the verdict on it, or an Event.
type known struct {
	verdict verdict
	event   *explain.Event
}

// known judges the objects of one document, and lets go of its text.
func (j judge) known(p *piece) (all []known) {
	items := p.decoded()
	*p = piece{}
	for _, item := range items {
		k := known{}
		if item.err != nil {
			k.verdict = j.unreadable(item.object, item.err)
		} else if e, ok := explain.EventOf(item.object); ok {
			k.event = &e
		} else {
			k.verdict = j.verdict(item.object)
		}
		k.verdict.Source = &item.from
		k.verdict.odd, k.verdict.Warnings = item.odd, append(k.verdict.Warnings, item.odd...)
		all = append(all, k)
	}
	return all
}

// askedFor returns those of the objects of files that are asked about: those that
// are named, as on the command line, or all but the parts of others of them.
func askedFor(args []string, all []verdict) ([]verdict, error) {
	if len(args) == 0 {
		return withoutParts(all), nil
	}
	var asked []verdict
	for _, name := range (request{args: args}).named() {
		found := false
		for _, v := range all {
			if means(name, v.ID) {
				found = true
				if !slices.ContainsFunc(asked, func(a verdict) bool { return a.ID == v.ID }) {
					asked = append(asked, v)
				}
			}
		}
		if !found {
			return nil, &exitError{code: exitMissing, err: fmt.Errorf("%s: no such object in the files", name)}
		}
	}
	return asked, nil
}

// withoutParts leaves out objects that others of them own.
func withoutParts(all []verdict) []verdict {
	uids := map[string]bool{}
	for _, v := range all {
		uids[textAt(v.thing.Object, "metadata", "uid")] = true
	}
	delete(uids, "")
	return slices.DeleteFunc(slices.Clone(all), func(v verdict) bool {
		owners, _ := at(v.thing.Object, "metadata", "ownerReferences").([]any)
		return slices.ContainsFunc(owners, func(o any) bool {
			owner, _ := o.(map[string]any)
			return uids[textAt(owner, "uid")]
		})
	})
}

// means reports whether TYPE/NAME, or TYPE alone, means an object. No server
// tells what a TYPE is, so that it is a kind, its plural, or one of kubectl's short
// names, with the group or without.
func means(text string, id identity) bool {
	types, name, one := strings.Cut(text, "/")
	if one && name != id.Name {
		return false
	}
	for kind := range strings.SplitSeq(types, ",") {
		kind, group, grouped := strings.Cut(kind, ".")
		plural, singular := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Group: id.Group, Kind: id.Kind})
		if long := shortNames[strings.ToLower(kind)]; long != "" {
			kind = long
		}
		if grouped && group != id.Group {
			continue
		}
		if strings.EqualFold(kind, id.Kind) || strings.EqualFold(kind, plural.Resource) || strings.EqualFold(kind, singular.Resource) {
			return true
		}
	}
	return false
}

// What kubectl calls the kinds of every cluster for short.
var shortNames = map[string]string{
	"cj": "CronJob", "cm": "ConfigMap", "crd": "CustomResourceDefinition", "deploy": "Deployment", "ds": "DaemonSet", "ep": "Endpoints",
	"hpa": "HorizontalPodAutoscaler", "ing": "Ingress", "netpol": "NetworkPolicy", "no": "Node", "ns": "Namespace", "pdb": "PodDisruptionBudget",
	"po": "Pod", "pv": "PersistentVolume", "pvc": "PersistentVolumeClaim", "quota": "ResourceQuota", "rc": "ReplicationController",
	"rs": "ReplicaSet", "sa": "ServiceAccount", "sc": "StorageClass", "sts": "StatefulSet", "svc": "Service",
}
