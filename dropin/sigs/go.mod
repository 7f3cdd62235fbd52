module kstatus.dev/dropin/sigs

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	k8s.io/api v0.35.0
	k8s.io/apimachinery v0.35.0
	k8s.io/cli-runtime v0.35.0
	k8s.io/client-go v0.35.0
	kstatus.dev/dropin v0.1.0
	sigs.k8s.io/controller-runtime v0.23.0
)
