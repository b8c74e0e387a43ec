//go:build e2e

package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cove/internal/mcpserver/tools"
)

// upstreamTools returns the names of all tools that the pinned package defines, those of its options included.
func upstreamTools(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("node/node_modules/chrome-devtools-mcp/build/src/tools/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("the package is not installed: %v", err)
	}
	defined := regexp.MustCompile(`define\w*Tool\((?:\([^)]*\) => \(?)?\s*\{\s*name: (?:'(\w+)'|(\w+)),`)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range defined.FindAllStringSubmatch(string(raw), -1) {
			name := m[1]
			if constant := m[2]; constant != "" {
				found := regexp.MustCompile(`const ` + constant + ` = '(\w+)'`).FindStringSubmatch(string(raw))
				if found == nil {
					t.Fatalf("%s: what is %s?", file, constant)
				}
				name = found[1]
			}
			names = append(names, name)
		}
		if count := strings.Count(string(raw), "\n    name: "); count != len(defined.FindAll(raw, -1)) {
			t.Errorf("%s has %d names of tools, of which %d were read", filepath.Base(file), count, len(defined.FindAll(raw, -1)))
		}
	}
	return names
}

// The reference says of every tool of the pinned package that we leave out why, and of no other.
func TestTheReferenceListsWhatIsLeftOut(t *testing.T) {
	raw, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(raw), "\n## What chrome-devtools-mcp 1.11 has and Cove leaves out\n")
	if !found {
		t.Fatal("docs/tools.md has no such section")
	}
	var out []string
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.TrimSpace(cells[2]) == "" {
			continue
		}
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[1], -1) {
			out = append(out, name[1])
		}
	}

	theirs := upstreamTools(t)
	if len(theirs) < 50 {
		t.Errorf("the package has %d tools: %v", len(theirs), theirs)
	}
	var ours []string
	for _, tool := range tools.All() {
		ours = append(ours, tool.Name)
	}
	for _, name := range theirs {
		if slices.Contains(ours, name) == slices.Contains(out, name) {
			t.Errorf("%s: ours %v, left out %v", name, slices.Contains(ours, name), slices.Contains(out, name))
		}
	}
	for _, name := range out {
		if !slices.Contains(theirs, name) {
			t.Errorf("the package has no %s", name)
		}
	}
}
