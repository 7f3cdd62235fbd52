# Change a release with helm, and wait with kstatus until it is ready.
$usage = 'usage: helm kstatus upgrade|install|rollback RELEASE [arguments and flags of helm]'
function Stop-Usage($problem) {
	[Console]::Error.WriteLine("helm kstatus: $problem")
	[Console]::Error.WriteLine($usage)
	exit 2
}

$command, $release = $args[0], $args[1]
if ($command -in '-h', '--help') {
	$usage
	exit 0
}
if ($command -notin 'upgrade', 'install', 'rollback') {
	Stop-Usage "want the command upgrade, install or rollback, have `"$command`""
}
if (-not $release -or $release.StartsWith('-')) {
	Stop-Usage "want the name of a release directly after $command, have `"$release`""
}

$timeout, $profileName, $wait = '5m', 'started', $true
$namespace = if ($env:HELM_NAMESPACE) { $env:HELM_NAMESPACE } else { 'default' }
for ($i = 0; $i -lt $args.Count; $i++) {
	switch -Regex ($args[$i]) {
		'^--timeout$' { $timeout = $args[$i + 1]; break }
		'^--timeout=' { $timeout = $_.Substring('--timeout='.Length); break }
		'^--wait-for-jobs(=true)?$' { $profileName = 'default'; break }
		'^--dry-run=(none|false)$' { break }
		'^(--dry-run(=.*)?|-h|--help)$' { $wait = $false; break }
		# helm sets HELM_NAMESPACE only for -n NAMESPACE and --namespace
		'^-n=?(.+)$' { $namespace = $Matches[1]; break }
		'^--(wait|atomic|rollback-on-failure)(=|$)' {
			Stop-Usage "$_ makes helm wait itself; use helm $command, or leave the flag out"
		}
	}
}

if ($wait -and -not (Get-Command kstatus -ErrorAction SilentlyContinue)) {
	[Console]::Error.WriteLine('helm kstatus: kstatus is not in the PATH, so helm has not been started')
	exit 127
}
$helm = if ($env:HELM_BIN) { $env:HELM_BIN } else { 'helm' }
$rest = @($args | Select-Object -Skip 1)
& $helm $command '--wait=hookOnly' @rest
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
if (-not $wait) { exit 0 }

$flags = @('--namespace', $namespace, '--timeout', $timeout, '--profile', $profileName, '--missing=fail')
if ($env:HELM_KUBECONTEXT) { $flags += '--context', $env:HELM_KUBECONTEXT }
if ($env:HELM_KUBEAPISERVER) { $flags += '--server', $env:HELM_KUBEAPISERVER }
if ($env:HELM_KUBECAFILE) { $flags += '--certificate-authority', $env:HELM_KUBECAFILE }
if ($env:HELM_KUBEASUSER) { $flags += '--as', $env:HELM_KUBEASUSER }
if ($env:HELM_KUBETOKEN) { $env:KSTATUS_TOKEN = $env:HELM_KUBETOKEN } # not as an argument, which other users can read
if ($env:HELM_KUBETLS_SERVER_NAME) { $flags += '--tls-server-name', $env:HELM_KUBETLS_SERVER_NAME }
if ($env:HELM_KUBEINSECURE_SKIP_TLS_VERIFY -eq 'true') { $flags += '--insecure-skip-tls-verify' }
foreach ($group in "$env:HELM_KUBEASGROUPS".Split(',', [StringSplitOptions]::RemoveEmptyEntries)) { $flags += '--as-group', $group }
& kstatus wait "helm/$release" @flags
exit $LASTEXITCODE
