package roles

import "testing"

func TestOf(t *testing.T) {
	const infra, bootstrap, control = "infrastructure.cluster.x-k8s.io", "bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"
	for _, row := range []struct {
		group, kind, label string
		want               Role
	}{
		{infra, "OpenStackCluster", "", InfraCluster},
		{infra, "OpenStackClusterTemplate", "", InfraClusterTemplate},
		{infra, "OpenStackClusterIdentity", "", None},
		{infra, "OpenStackServer", "", None},
		{infra, "OpenStackFloatingIPPool", "", IPPool},
		{infra, "AzureMachinePool", "", InfraMachinePool},
		{infra, "AzureMachinePoolMachine", "", InfraMachine},
		{infra, "AzureManagedControlPlane", "", ControlPlane},
		{infra, "ROSARoleConfig", "", None},
		{infra, "Machine", "", None},
		{"infrastructure.example.com", "DevMachineTemplate", "", InfraMachineTemplate},
		{bootstrap, "KubeadmConfig", "", BootstrapConfig},
		{bootstrap, "K0sWorkerConfigTemplate", "", BootstrapConfigTemplate},
		{control, "KubeadmControlPlane", "", ControlPlane},
		{"ipam.metal3.io", "IPPool", "", IPPool},
		{"ipam.cluster.x-k8s.io", "GlobalInClusterIPPool", "", IPPool},
		{"ipam.cluster.x-k8s.io", "IPAddressClaim", "", None},
		{"cluster.x-k8s.io", "MachinePool", "", None},
		{"metal.example.com", "BoxMachine", "", None},
		{"metal.example.com", "BoxMachine", "infrastructure-box", InfraMachine},
		{"metal.example.com", "BoxConfig", "bootstrap-box", BootstrapConfig},
		{"metal.example.com", "BoxControlPlaneTemplate", "control-plane-box", ControlPlaneTemplate},
	} {
		t.Run(row.kind+"."+row.group, func(t *testing.T) {
			if have := Of(row.group, row.kind, map[string]string{"cluster.x-k8s.io/provider": row.label}); have != row.want {
				t.Errorf("%s.%s, provider %q: role %q; want %q", row.kind, row.group, row.label, have, row.want)
			}
		})
	}
}
