package cli

import (
	"sync"

	"github.com/spf13/cobra"
)

// examples are for commands that need no other explanation. Other commands have theirs where they are defined.
var examples = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"cove status": `  cove status
  cove status --json`,
		"cove ui":       `  cove ui`,
		"cove stop-app": "  cove stop-app\n  cove stop-app --profiles       close the open profiles first",
		"cove doctor":   "  cove doctor\n  cove doctor --json",
		"cove logs":     "  cove logs\n  cove logs -n 500",
		"cove version":  "  cove version",

		"cove config list": "  cove config list",
		"cove config get":  "  cove config get api_port",

		"cove browser":         "  cove browser list\n  cove browser install",
		"cove browser list":    "  cove browser list",
		"cove browser install": "  cove browser install",

		"cove profile list": "  cove profile list\n  cove profile list --search mail --sort -opened\n  cove profile " +
			"list --trash",
		"cove profile show": "  cove profile show work\n  cove profile show 1 --json",
		"cove profile edit": "  cove profile edit work --notes 'the office account'\n" +
			"  cove profile edit work --proxy none",
		"cove profile clone":   "  cove profile clone work\n  cove profile clone work --name 'work 2' --data",
		"cove profile delete":  "  cove profile delete work\n  cove profile delete 7 --for-good",
		"cove profile restore": "  cove profile restore 7",
		"cove stop":            "  cove stop work",
		"cove running":         "  cove running\n  cove running --json",

		"cove extension list": "  cove extension list\n  cove extension list work",
		"cove extension add": "  cove extension add ./my-extension work shop\n" +
			"  cove extension add blocker.crx --all",
		"cove extension remove":  "  cove extension remove blocker work\n  cove extension remove blocker --all",
		"cove extension enable":  "  cove extension enable blocker work shop",
		"cove extension disable": "  cove extension disable blocker --all",

		"cove client list":    "  cove client list\n  cove client list --check",
		"cove client remove":  "  cove client remove claude-code 1\n  cove client remove all 1 --everywhere",
		"cove client snippet": "  cove client snippet vscode 1\n  cove client snippet codex work --wrapper",
		"cove client bundle":  "  cove client bundle 1\n  cove client bundle work --out work.mcpb",
		"cove skills list":    "  cove skills list",
		"cove skills get":     "  cove skills get cove\n  cove skills get cove --ref login",
		"cove skills remove":  "  cove skills remove codex\n  cove skills remove --everywhere",
		"cove skills check":   "  cove skills check\n  cove skills check claude-code --json",
		"cove wrapper": "  cove wrapper install --fetch\n  cove client add claude-code 1 --wrapper\n  cove verify " +
			"1 --wrapper",

		"cove policy show": "  cove policy show work\n  cove policy show 1 --json",
		"cove secret set": "  cove secret set mail --profile work --site https://mail.example.com\n  pass show " +
			"mail | cove secret set mail --profile work --site https://mail.example.com",
		"cove secret list":       "  cove secret list --profile work",
		"cove secret code":       "  cove secret code mail-code --profile work",
		"cove secret key":        "  cove secret key\n  cove secret key --move keyring",
		"cove secret remove":     "  cove secret remove mail --profile work",
		"cove asks list":         "  cove asks list\n  cove asks list --history",
		"cove asks show":         "  cove asks show 3-4711",
		"cove asks allow":        "  cove asks allow 3-4711\n  cove asks allow 3-4711 --scope session",
		"cove asks deny":         "  cove asks deny 3-4711 --note \"Too expensive.\"",
		"cove asks answer":       "  cove asks answer 3-4711\n  cove asks answer 3-4711 --choose L",
		"cove approvals list":    "  cove approvals list",
		"cove approvals approve": "  cove approvals approve 3-4711\n  cove approvals approve 3-4711 --always",
		"cove approvals refuse":  "  cove approvals refuse 3-4711",
		"cove panic":             "  cove panic\n  cove panic --undo",
		"cove pin":               "  cove pin set\n  cove pin change",
		"cove pin set":           "  cove pin set",
		"cove pin change":        "  cove pin change",
		"cove pin clear":         "  cove pin clear",
		"cove journal show":      "  cove journal show work\n  cove journal show work --outcome refused --follow",
		"cove journal sessions":  "  cove journal sessions work",
		"cove journal export": "  cove journal export work --since 24h > work.jsonl\n" +
			"  cove journal export work --html -o work.html",
		"cove journal verify": "  cove journal verify work\n  cove journal verify --file work.html",

		"cove logout":           "  cove logout",
		"cove account":          "  cove account\n  cove account add me@example.com --plan solo\n  cove account list",
		"cove account add":      "  cove account add me@example.com --plan solo",
		"cove account list":     "  cove account list",
		"cove account set-plan": "  cove account set-plan solo\n  cove account set-plan team --account me@example.com",
		"cove token":            "  cove token create ci\n  cove token list\n  cove token revoke ci",
		"cove token create":     "  cove token create ci\n  cove token create ci --json",
		"cove token list":       "  cove token list",
		"cove token revoke":     "  cove token revoke ci\n  cove token revoke 2",

		"cove help":                  "  cove help profile create\n  cove help exit-codes",
		"cove completion":            "  source <(cove completion bash)",
		"cove completion bash":       "  source <(cove completion bash)",
		"cove completion zsh":        "  source <(cove completion zsh)",
		"cove completion fish":       "  cove completion fish | source",
		"cove completion powershell": "  cove completion powershell | Out-String | Invoke-Expression",
	}
})

// giveExamples sets the examples, including those of the commands that the library adds.
func giveExamples(cmd *cobra.Command) {
	if cmd.Example == "" {
		cmd.Example = examples()[cmd.CommandPath()]
	}
	for _, one := range cmd.Commands() {
		giveExamples(one)
	}
}
