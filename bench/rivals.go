package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/profile"
)

// rival is one MCP server of the measurement, on a profile of its own.
type rival struct {
	name    string
	profile profile.ID
	command []string
	env     []string
	dir     string
	// helper is the process that outlives the server and does the work: ours is the keeper.
	helper func() int

	list  call
	open  func(url string) call
	look  call
	click func(ref string) call
	fill  func(ref, text string) call
	form  func(refs []string, text string) []call
	eval  func(function string) call
	shot  func(full bool) call
	// ref is how a snapshot names an element; role and name are put into it.
	ref string

	peer *peer
}

// Order of the columns.
const (
	ours = iota
	upstream
	playwright
	agentBrowser
	servers
	baseline = servers // another version of ours, if BASE names its program
)

// rivals makes a profile for each of the first n servers, so that none feels what another has attached to a page, and
// starts them.
func rivals(ctx context.Context, a *app, dir string, n int) ([]*rival, error) {
	all := make([]*rival, n)
	all[ours] = cove(a, filepath.Join(dir, "cove"))
	for i := range all {
		id := profile.ID(1)
		if i > 0 {
			created, err := a.Profiles().Create(ctx, api.ProfileInput{Name: ptr(fmt.Sprintf("bench %d", i))})
			if err != nil {
				return nil, err
			}
			id = created.ID
		}
		s, err := a.Start(ctx, id, api.StartOptions{Automation: true})
		if err != nil {
			return nil, err
		}
		work := filepath.Join(dir, "work"+strconv.Itoa(i))
		if err := os.MkdirAll(work, 0o700); err != nil {
			return nil, err
		}
		gate := fmt.Sprintf("http://127.0.0.1:%d", s.Automation.Port)
		switch i {
		case upstream:
			all[i], err = devtools(gate)
		case playwright:
			all[i], err = playwrightMCP(gate)
		case agentBrowser:
			all[i], err = agentBrowserMCP(work, s.Automation.Port)
		}
		if err != nil {
			return nil, err
		}
		all[i].profile, all[i].dir = id, work
	}
	return all, nil
}

func ptr[T any](v T) *T { return &v }

func modulesOf(dir string) (string, error) { return filepath.Abs(filepath.Join(dir, "node_modules")) }

// versionBefore is another program of ours with an app and a profile of its own.
func versionBefore(ctx context.Context, program, dir string) (*rival, func(), error) {
	work := filepath.Join(dir, "work-before")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, nil, err
	}
	program, err := install(program, filepath.Join(dir, "cove-before"))
	if err != nil {
		return nil, nil, err
	}
	a, err := startApp(ctx, program, filepath.Join(dir, "home-before"))
	if err != nil {
		return nil, nil, err
	}
	if _, err := a.Start(ctx, 1, api.StartOptions{Automation: true}); err != nil {
		a.stop()
		return nil, nil, err
	}
	r := cove(a, program)
	r.name, r.profile, r.dir = "Cove before", 1, work
	return r, a.stop, nil
}

func cove(a *app, program string) *rival {
	r := devtoolsTools(object{})
	r.look = call{"take_snapshot", object{"maxTokens": 60_000}} // all of the largest page, as the others show it
	r.name, r.command = "Cove", []string{program, "mcp", "1", "--home", a.home}
	r.helper = func() int {
		var record struct{ PID int }
		raw, err := os.ReadFile(filepath.Join(a.home, "browser_profiles", "1", "keeper.json"))
		if err != nil || json.Unmarshal(raw, &record) != nil {
			return 0
		}
		return record.PID
	}
	// In tables the role stands in the head, and links among text have none.
	r.ref = `(?m)(?:uid=(\S+) %[1]s|\b([a-z]+\d+)) "%[2]s"`
	return r
}

func devtools(gate string) (*rival, error) {
	modules, err := modulesOf("e2e/node")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	r := devtoolsTools(object{"pageId": 1}) // its default asks for one
	r.name = "chrome-devtools-mcp 1.11.0"
	r.command = []string{node, filepath.Join(modules, "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"),
		"--browserUrl", gate, "--no-usage-statistics", "--no-performance-crux"}
	r.env = []string{"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1", "CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY=1"}
	r.ref = `(?m)uid=(\S+) %[1]s "%[2]s"`
	return r, nil
}

// devtoolsTools are the tools that ours and upstream's have in common.
func devtoolsTools(page object) *rival {
	with := func(more object) object {
		for k, v := range page {
			more[k] = v
		}
		return more
	}
	return &rival{
		list:  call{"list_pages", object{}},
		open:  func(url string) call { return call{"navigate_page", with(object{"type": "url", "url": url})} },
		look:  call{"take_snapshot", with(object{})},
		click: func(ref string) call { return call{"click", with(object{"uid": ref})} },
		fill:  func(ref, text string) call { return call{"fill", with(object{"uid": ref, "value": text})} },
		form: func(refs []string, text string) []call {
			var elements []object
			for _, ref := range refs {
				elements = append(elements, object{"uid": ref, "value": text})
			}
			return []call{{"fill_form", with(object{"elements": elements})}}
		},
		eval: func(function string) call { return call{"evaluate_script", with(object{"function": function})} },
		shot: func(full bool) call { return call{"take_screenshot", with(object{"fullPage": full})} },
	}
}

func playwrightMCP(gate string) (*rival, error) {
	modules, err := modulesOf("bench")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	return &rival{
		name:    "@playwright/mcp 0.0.83",
		command: []string{node, filepath.Join(modules, "@playwright/mcp/cli.js"), "--cdp-endpoint", gate},
		list:    call{"browser_tabs", object{"action": "list"}},
		open:    func(url string) call { return call{"browser_navigate", object{"url": url}} },
		look:    call{"browser_snapshot", object{}},
		click:   func(ref string) call { return call{"browser_click", object{"target": ref}} },
		fill:    func(ref, text string) call { return call{"browser_type", object{"target": ref, "text": text}} },
		form: func(refs []string, text string) []call {
			var fields []object
			for _, ref := range refs {
				fields = append(fields, object{"target": ref, "name": "field", "type": "textbox", "value": text})
			}
			return []call{{"browser_fill_form", object{"fields": fields}}}
		},
		eval: func(function string) call { return call{"browser_evaluate", object{"function": function}} },
		shot: func(full bool) call {
			return call{"browser_take_screenshot", object{"fullPage": full, "scale": "css"}}
		},
		ref: `(?m)- %[1]s "%[2]s".*?\[ref=(\w+)\]`,
	}, nil
}

// agentBrowserMCP runs the package's own program: the launcher in Node only looks for it.
func agentBrowserMCP(work string, port int) (*rival, error) {
	modules, err := modulesOf("bench")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(modules, "agent-browser/bin/agent-browser-linux-x64")
	if err := os.Chmod(program, 0o755); err != nil { // as its installation script does
		return nil, err
	}
	config := filepath.Join(work, "config.json")
	if err := os.WriteFile(config, fmt.Appendf(nil, `{"cdp":"%d"}`, port), 0o600); err != nil {
		return nil, err
	}
	r := &rival{
		name:    "agent-browser 0.41.1",
		command: []string{program, "mcp"},
		env:     []string{"AGENT_BROWSER_CONFIG=" + config, "AGENT_BROWSER_SESSION=bench", "HOME=" + work},
		list:    call{"agent_browser_tab_list", object{}},
		open:    func(url string) call { return call{"agent_browser_open", object{"url": url}} },
		look:    call{"agent_browser_snapshot", object{}},
		click:   func(ref string) call { return call{"agent_browser_click", object{"selector": "@" + ref}} },
		fill: func(ref, text string) call {
			return call{"agent_browser_fill", object{"selector": "@" + ref, "text": text}}
		},
		form: func(refs []string, text string) (all []call) { // it has no tool for a form
			for _, ref := range refs {
				all = append(all, call{"agent_browser_fill", object{"selector": "@" + ref, "text": text}})
			}
			return all
		},
		eval: func(function string) call {
			return call{"agent_browser_eval", object{"script": "(" + function + ")()"}}
		},
		shot: func(full bool) call { return call{"agent_browser_screenshot", object{"fullPage": full}} },
		ref:  `(?m)- %[1]s "%[2]s".*?\bref=(\w+)`,
	}
	r.helper = func() int {
		raw, err := os.ReadFile(filepath.Join(work, ".agent-browser/bench.pid"))
		if err != nil {
			return 0
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
		return pid
	}
	return r, nil
}

// find is the name that a snapshot gives to an element.
func (r *rival) find(text, role, name string) (string, error) {
	m := regexp.MustCompile(fmt.Sprintf(r.ref, role, regexp.QuoteMeta(name))).FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s shows no %s %q in:\n%.2000s", r.name, role, name, text)
	}
	return strings.Join(m[1:], ""), nil
}
