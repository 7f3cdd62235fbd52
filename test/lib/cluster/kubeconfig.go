package cluster

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// WriteKubeconfig writes a kubeconfig file for config, with namespace as the default namespace.
func WriteKubeconfig(path string, config *rest.Config, namespace string) error {
	return clientcmd.WriteToFile(api.Config{
		CurrentContext: "kstatus-test",
		Contexts: map[string]*api.Context{
			"kstatus-test": {Cluster: "kstatus-test", AuthInfo: "user", Namespace: namespace},
		},
		Clusters: map[string]*api.Cluster{
			"kstatus-test": {Server: config.Host, CertificateAuthorityData: config.CAData},
		},
		AuthInfos: map[string]*api.AuthInfo{
			"user": {
				Token:             config.BearerToken,
				TokenFile:         config.BearerTokenFile,
				Impersonate:       config.Impersonate.UserName,
				ImpersonateGroups: config.Impersonate.Groups,
			},
		},
	}, path)
}
