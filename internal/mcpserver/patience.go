package mcpserver

import (
	"strings"
	"time"
)

// usualPatience is how long a call of an unknown client waits for a person: some give up after half a minute.
const usualPatience = 25 * time.Second

// patiences are how long calls of known clients wait for a person, a little less than the client does. The names are
// the beginnings of what clients call themselves.
var patiences = []struct {
	name string
	over time.Duration // over a stream of its own
	http time.Duration
}{
	{"claude-code", 20 * time.Minute, 4 * time.Minute},
	{"gemini-cli", 9 * time.Minute, 9 * time.Minute},
	{"codex", 4 * time.Minute, 4 * time.Minute},
	{"goose", 4 * time.Minute, 4 * time.Minute},
	{"visual studio code", 4 * time.Minute, 4 * time.Minute},
	{"copilot-cli", 45 * time.Second, 45 * time.Second},
	{"opencode", 45 * time.Second, 45 * time.Second},
	{"qwen-cli", 45 * time.Second, 45 * time.Second},
	{"factory-cli", 45 * time.Second, 45 * time.Second},
	{"@cline/", 45 * time.Second, 45 * time.Second},
	{"cline", 45 * time.Second, 45 * time.Second},
	{"zed", 45 * time.Second, 45 * time.Second},
	{"claude-ai", 45 * time.Second, 45 * time.Second},
	{"cursor", 45 * time.Second, 45 * time.Second},
	{"inspector", 45 * time.Second, 45 * time.Second},
}

// patienceOf returns how long a call of a client waits for a person.
func patienceOf(client string, overHTTP bool) time.Duration {
	client = strings.ToLower(client)
	for _, p := range patiences {
		switch {
		case !strings.HasPrefix(client, p.name):
		case overHTTP:
			return p.http
		default:
			return p.over
		}
	}
	return usualPatience
}

// shellPatienceOf returns how long a command of an agent waits for a person. Agents end commands that take long: Claude
// Code after two minutes, others after half a minute.
func shellPatienceOf(agent string) time.Duration {
	if strings.HasPrefix(agent, "claude-code") {
		return 100 * time.Second
	}
	return usualPatience
}
