// Package helm runs the SDK of Helm 4 with the adapters of dropin on a real cluster.
//
// helm_test.go installs, upgrades and uninstalls charts, and chart_test.go makes charts.
// plugin_unix_test.go runs the script of the plugin for the command of Helm.
package helm
