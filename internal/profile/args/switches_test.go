package args

import (
	"bufio"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/switches.txt and docs/arguments.md anew")

// testdata/switches.txt holds the switches that the strings of Chromium 156's binary show, with those of other versions
// that Cove passes on, and what was decided of each. It is read line by line when the table changes: whoever lets one
// more pass sees it in the difference.
func TestEverySwitchIsDecided(t *testing.T) {
	const name = "testdata/switches.txt"
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decided := map[string]verdict{}
	lines := bufio.NewScanner(strings.NewReader(string(raw)))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 && fields[0] != "#" {
			decided[fields[0]] = verdict(fields[len(fields)-1])
		}
	}
	if len(decided) < 1000 {
		t.Fatalf("the list holds %d names only", len(decided))
	}
	if *update {
		writeDecided(t, name, decided)
		return
	}
	for name, want := range decided {
		if got := verdictOf(name); got != want {
			t.Errorf("--%s is %s, and the list says %s", name, got, want)
		}
	}
	for name := range switches() {
		if decided[name] == "" {
			t.Errorf("--%s is not in the list", name)
		}
	}
}

func verdictOf(name string) verdict {
	if r, ok := switches()[name]; ok {
		return r.verdict
	}
	return refused
}

func writeDecided(t *testing.T, name string, decided map[string]verdict) {
	t.Helper()
	for name := range switches() {
		decided[name] = ""
	}
	var out strings.Builder
	out.WriteString("# Browser switches and what was decided of each; see switches_test.go.\n")
	for _, name := range slices.Sorted(maps.Keys(decided)) {
		out.WriteString(name + " " + string(verdictOf(name)) + "\n")
	}
	if err := os.WriteFile(name, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheDocumentListsWhatIsPassedOn(t *testing.T) {
	const name = "../../../docs/arguments.md"
	want := document()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s is stale (%v): go test ./internal/profile/args -update", name, err)
	}
}

func document() string {
	var out strings.Builder
	out.WriteString(`# Browser arguments that Cove passes on

<!-- Written by: go test ./internal/profile/args -update -->

A profile (` + "`args`, `cove profile edit ID --arg=--mute-audio`) and the setting `browser_args`" +
		` take these. Cove refuses
all others: a browser has more than a thousand, and many of them run programs, write files or turn protection off. What
has a field of its own in the profile, such as the proxy, is set there.
`)
	title := ""
	for _, g := range groups {
		if g.title != title {
			title = g.title
			out.WriteString("\n## " + title + "\n\n")
			if g.verdict == person {
				out.WriteString("An API token cannot set these; the person can, in the window or on the command " +
					"line, with the PIN where there is one.\n\n")
			}
		}
		for _, name := range g.names {
			out.WriteString("- `--" + name + "`\n")
		}
	}
	out.WriteString("\n## Names for `--enable-features` and `--disable-features`\n\n")
	for _, name := range slices.Sorted(maps.Keys(features())) {
		out.WriteString("- `" + name + "`" +
			map[string]string{"on": ", only to turn it on", "off": ", only to turn it off"}[features()[name]] + "\n")
	}
	return out.String()
}
