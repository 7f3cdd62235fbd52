module kstatus.dev/dropin

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.11.1
	k8s.io/api v0.35.0
	k8s.io/apimachinery v0.35.0
	k8s.io/cli-runtime v0.35.0
	k8s.io/client-go v0.35.0
	k8s.io/klog/v2 v2.130.1
	kstatus.dev v0.1.0
	sigs.k8s.io/controller-runtime v0.23.0
	sigs.k8s.io/yaml v1.6.0
)
