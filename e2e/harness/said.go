//go:build e2e

package harness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	pageLine = regexp.MustCompile(`(?m)^\d+: (.*)$`)
	markers  = []string{"# Open dialog", "## Latest page snapshot", "## Console messages", "## Network requests",
		"reqid=", "msgid=", "## Request ", "### Request Headers", "### Response Headers", "### Response Body",
		"### Request Body", "```json"}
)

var owners = strings.NewReplacer(" [yours]", "", " [free]", "")

// Shape lists the blocks of an answer.
func (s Said) Shape() (found []string) {
	text := s.Plain()
	for _, m := range markers {
		if strings.HasPrefix(text, m) || strings.Contains(text, "\n"+m) {
			found = append(found, m)
		}
	}
	if strings.Contains(text, "## Pages") {
		var pages []string
		for _, m := range pageLine.FindAllStringSubmatch(text, -1) {
			pages = append(pages, owners.Replace(m[1])) // whose a page is only Cove knows
		}
		slices.Sort(pages)
		found = append(found, "## Pages: "+strings.Join(pages, " | "))
	}
	for _, i := range s.images {
		found = append(found, fmt.Sprintf("image %s %dx%d", i.mime, i.width, i.height))
	}
	return found
}

// Outcome is how a call ended.
func (s Said) Outcome() string {
	switch {
	case s.Err != nil && strings.Contains(s.Err.Error(), `"code"`):
		return "protocol error"
	case s.Err != nil:
		return "no answer: " + s.Err.Error()
	case s.Failed:
		return "error"
	}
	return "ok"
}
