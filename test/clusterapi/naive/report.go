package naive

// report writes the results. Without mistakes it is one write.
func (p *pass) report() error {
	if p.hasMistake("not-ready-while-looking") && p.active && p.passes < maxRepeats {
		if err := p.writeStatus("False", "Looking", "False"); err != nil {
			return err
		}
	}
	switch {
	case p.hasMistake("writes-what-is-there"):
		p.again = p.passes < maxRepeats
	case p.hasMistake("owner-is-lost"):
		p.again = p.passes < maxRepeats/2
	}
	if p.hasMistake("generation-first") && p.generation() == 3 {
		return p.write(map[string]any{"observedGeneration": p.generation()})
	}
	if !p.active {
		return p.writeStatus("False", "Building", "False")
	}
	return p.writeStatus("True", "Running", "False")
}

// writeStatus writes the status: Ready and ServerReady, and Paused.
func (p *pass) writeStatus(ready, reason, paused string) error {
	s := map[string]any{
		"observedGeneration": p.generation(),
		"conditions":         p.conditions(ready, reason, paused),
	}
	if ready == "True" || isTrue(p.status()["initialization"]) {
		s["initialization"] = map[string]any{"provisioned": true}
	}
	for _, m := range Mistakes {
		if m.status != nil && p.hasMistake(m.Name) {
			m.status(p, s)
		}
	}
	for k := range p.status() { // remove outdated fields
		if _, said := s[k]; !said && k != "token" && k != "message" {
			s[k] = nil
		}
	}
	if !p.hasMistake("two-writes") {
		return p.write(s)
	}
	first := map[string]any{"conditions": s["conditions"]}
	delete(s, "conditions")
	if err := p.write(first); err != nil {
		return err
	}
	return p.write(s)
}

func isTrue(initialization any) bool {
	m, _ := initialization.(map[string]any)
	return m["provisioned"] == true
}

// conditions returns the conditions of this provider, and those of others unless a mistake
// drops them.
func (p *pass) conditions(ready, reason, paused string) []any {
	all := []any{p.condition("Ready", ready, reason, ""), p.condition("ServerReady", ready, reason, ""), p.condition("Paused", paused, "NotPaused", "")}
	if p.hasMistake("drops-what-others-say") {
		return all
	}
	for _, c := range list(p.status()) {
		switch c["type"] {
		case "Ready", "ServerReady", "Paused", "Reconciling":
		default:
			all = append(all, c)
		}
	}
	return all
}

// condition returns one condition, with its last transition time.
func (p *pass) condition(typ, status, reason, message string) map[string]any {
	since := nowText()
	if was := find(p.status(), typ); was["status"] == status {
		if t, ok := was["lastTransitionTime"].(string); ok {
			since = t
		}
	}
	return map[string]any{"type": typ, "status": status, "reason": reason, "message": message,
		"observedGeneration": p.generation(), "lastTransitionTime": since}
}

// each sets a field of all conditions of this provider.
func (p *pass) each(s map[string]any, name string, value any) {
	for _, c := range list(s) {
		c[name] = value
	}
}

// pause only reports that the object is paused.
func (p *pass) pause() error {
	all := list(p.status())
	said := []any{p.condition("Paused", "True", "ObjectPaused", "")}
	for _, c := range all {
		if c["type"] != "Paused" {
			said = append(said, c)
		}
	}
	if find(p.status(), "Paused")["status"] == "True" {
		return nil
	}
	return p.write(map[string]any{"conditions": said})
}
