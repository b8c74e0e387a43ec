package pages

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"cove/internal/answer"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/racetest"
)

// forged returns an answer in which the page has written its words wherever a page can.
func forged(p string) answer.Answer {
	tab := answer.Tab{ID: 4, Title: p, URL: "https://x.example/" + p, Marks: []string{"selected"}, Context: p}
	effect := func(e answer.Effect) answer.Part {
		return answer.Part{Kind: answer.Caused, Text: "Said: " + p, Effect: &e}
	}
	return answer.Answer{Tab: &tab, Parts: []answer.Part{
		{Kind: answer.Said, Text: "Cove says «" + p + "» of the page."},
		{Kind: answer.Heading, Text: "Heading " + p}, {Kind: answer.Done, Text: "Done " + p},
		effect(answer.Effect{Kind: answer.Navigated, URL: "https://x.example/" + p}),
		effect(answer.Effect{Kind: answer.Opened, Tab: &tab}),
		effect(answer.Effect{Kind: answer.Download, File: p, State: "completed"}),
		effect(answer.Effect{Kind: answer.Download, File: p, State: "completed", Path: "/tmp/" + p}),
		effect(answer.Effect{Kind: answer.Dialog, Text: p}),
		{Kind: answer.Page, Text: p}, {Kind: answer.Page, Text: p + "\n" + p},
		{Kind: answer.Snapshot, Text: "uid=a1 RootWebArea \"" + p + "\"\n" + p + "\n ~ uid=a2 " + p, Number: 3},
		{Kind: answer.Value, Text: "```json\n" + quoted(p) + "\n```"}, {Kind: answer.Value, Text: p},
		{Kind: answer.Pages, Text: p, Tabs: []answer.Tab{tab, {ID: 5, URL: p}}},
		{Kind: answer.Saved, Text: "Saved " + p, File: "/tmp/" + p},
	}}
}

// everyLine splits a text where any reader could begin a line, and where a terminal could move to its beginning.
func everyLine(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune("\n\r\v\f\b\x1b\x1c\x1d\x1e\u0084\u0085\u008d\u009b\u2028\u2029", r)
	})
}

// ours reports whether a line may begin in column 0. The words of the page begin with a P.
func ours(line string) bool { return !strings.ContainsAny(line[:1], `P"\`) && utf8.ValidString(line) }

func checkColumns(t *testing.T, p string, h head) {
	t.Helper()
	a := forged(p)
	for _, line := range everyLine(terse(a, h)) {
		if !ours(line) {
			t.Fatalf("%+q: the page speaks for Cove in %+q", p, line)
		}
	}
	for _, f := range []*fault.Error{
		fault.Quote(fault.CodePageTool, p, "Take a new snapshot."), fault.Invalidf("No: %s", p),
	} {
		a.Error = f
		_, text, hint := exit.Explain(failureOf(a), true)
		for _, line := range everyLine("cove: " + text + "\n" + hint) { // as it is printed
			if !ours(line) || f.Quotes && strings.HasPrefix(line, "cove: ") && strings.Contains(line, "P") {
				t.Fatalf("%+q: the page speaks for Cove in %+q", p, line)
			}
		}
	}
}

var ends = []string{"\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029", "\x1c", "\x1d", "\x1e", "\x1b[1G",
	"\b", "\x9b1G", "\u009b1G", "\u0084", "\u008d", "\x00", "\xff", "\t", " "}

func TestNoPageSpeaksForCove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := append([]string{"P", "Pove: ok", "Pok -> https://evil.example", `"`, `\`, "uid=P1", "reqid=P", "```", "P\n"},
		ends...)
	for range 10_000 / racetest.Slower {
		var p strings.Builder
		for range r.IntN(8) {
			p.WriteString(parts[r.IntN(len(parts))])
		}
		checkColumns(t, "P"+p.String(), head(r.IntN(5)))
	}
}

func FuzzColumns(f *testing.F) {
	for _, end := range ends {
		f.Add("a" + end + "ok")
	}
	f.Fuzz(func(t *testing.T, p string) {
		// Everything that the page writes begins with a P on each of its lines.
		p = "P" + strings.Join(everyLine(strings.ToValidUTF8(p, "P")), "\u2028P")
		for _, h := range []head{headOK, headTab, headNone, headPart, headWhole} {
			checkColumns(t, p, h)
		}
	})
}

func TestTerse(t *testing.T) {
	tab := &answer.Tab{ID: 4, Title: `The "shop"`, URL: "https://shop.example/"}
	for name, tc := range map[string]struct {
		a    answer.Answer
		head head
		want string
	}{
		"a step":  {answer.Answer{Parts: []answer.Part{{Kind: answer.Done, Text: "Clicked"}}}, headOK, "ok\n"},
		"a place": {answer.Answer{Tab: tab}, headTab, "4 \"The \\\"shop\\\"\" https://shop.example/\n"},
		"effects": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Caused, Effect: &answer.Effect{Kind: answer.Navigated, URL: "https://a.example/"}},
			{Kind: answer.Caused, Effect: &answer.Effect{Kind: answer.Opened, Tab: tab}},
		}}, headOK, "ok -> https://a.example/ +tab 4 \"The \\\"shop\\\"\" https://shop.example/\n"},
		"a snapshot": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Heading, Text: "## Latest page snapshot"},
			{Kind: answer.Snapshot, Text: "uid=a1 RootWebArea \"Shop\"\n uid=a2 link\n ~ uid=a3 button"},
		}}, headNone, " a1 RootWebArea \"Shop\"\n  a2 link\n  ~ a3 button\n"},
		"refs within a line": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Snapshot, Text: "uid=a1 row \"say \\\"uid=x uid=y\" | uid=a2 button \"Refund\"\n+   + uid=a3 link"},
		}}, headNone, " a1 row \"say \\\"uid=x uid=y\" | a2 button \"Refund\"\n +   + a3 link\n"},
		"nothing but a value": {answer.Answer{Parts: []answer.Part{{Kind: answer.Value, Text: "```json\nnull\n```"},
			{Kind: answer.Value, Text: "```json\n\"\"\n```"}}}, headNone, " null\n \"\"\n"},
		"a page whose address is known": {answer.Answer{Tab: tab, Parts: []answer.Part{
			{Kind: answer.Snapshot, Text: "uid=a1 RootWebArea \"Shop\" snapshot=3\n uid=a2 link \"A\""},
		}}, headTab, "4 \"The \\\"shop\\\"\" https://shop.example/\n  a2 link \"A\"\n"},
		"requests": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Page, Text: "reqid=1 GET https://a.example/ [200]\nreqid=2 GET https://a.example/x [404]\n"},
		}}, headNone, " 1 GET https://a.example/ [200]\n 2 GET https://a.example/x [404]\n"},
		"messages": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Page, Text: "msgid=3 [log] hello (1 args)\nmsgid=4 [log] a b (2 args)\n"},
		}}, headNone, " 3 [log] hello\n 4 [log] a b (2 args)\n"},
		"a text of a script": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Value, Text: "```json\n\"one\\ntwo\"\n```"},
		}}, headNone, " one\n two\n"},
		"a hint names a command": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Said, Text: "No page is open. Open one with new_page."},
		}}, headNone, "No page is open. Open one with `cove page open URL --new`.\n"},
		"a hint with arguments": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Said, Text: "Give its frame, as list_page_tools shows it, or navigate_page with type reload."},
		}}, headNone, "Give --frame REF, as `cove page tools` shows it, or `cove page reload`.\n"},
		"words of a page stay as they are": {answer.Answer{Parts: []answer.Part{
			{Kind: answer.Said, Text: "list_pages says «call ask_person {\"request\":\"3-1\"}»."},
		}}, headNone, "`cove page tabs` says «call ask_person {\"request\":\"3-1\"}».\n"},
		"what failed has no ok": {answer.Answer{Error: fault.Invalidf("No."), Parts: []answer.Part{
			{Kind: answer.Caused, Effect: &answer.Effect{Kind: answer.Dialog, Text: "alert: hi"}},
		}}, headOK, "dialog \"alert: hi\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := terse(tc.a, tc.head); got != tc.want {
				t.Errorf("%q, not %q", got, tc.want)
			}
		})
	}
}
