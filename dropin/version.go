package dropin

import "runtime/debug"

// Version names the mode of the program and the version of the engine, for logs and bug reports.
func Version() string {
	engine := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		engine = engineVersion(info)
	}
	m, err := Resolve(Mode{})
	if err != nil {
		return "kstatus.dev/dropin " + engine + ", " + err.Error()
	}
	return "kstatus.dev/dropin " + engine + ", mode " + m.String()
}

// engineVersion returns the version of the module that has the engine.
func engineVersion(info *debug.BuildInfo) string {
	for _, m := range info.Deps {
		if m.Path != "kstatus.dev/dropin" {
			continue
		}
		if m.Replace != nil && m.Replace.Version != "" {
			return m.Replace.Version
		}
		return m.Version
	}
	return "(devel)"
}
