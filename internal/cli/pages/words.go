package pages

import (
	"regexp"
	"strings"
	"sync"
)

// commandOf says which command stands for a tool, for the sentences that name one.
var commandOf = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ask_person": "cove page ask", "click": "cove page click", "close_page": "cove page close",
		"drag": "cove page drag", "emulate": "cove page emulate", "evaluate_script": "cove page eval",
		"fill": "cove page fill", "fill_form": "cove page fill", "get_console_message": "cove page console N",
		"get_network_request": "cove page requests N", "handle_dialog": "cove page dialog", "hover": "cove page hover",
		"lighthouse_audit": "cove page audit", "list_console_messages": "cove page console",
		"list_downloads": "cove page downloads", "list_network_requests": "cove page requests",
		"list_page_tools": "cove page tools", "call_page_tool": "cove page tools call", "list_pages": "cove page tabs",
		"navigate_page": "cove page open", "new_page": "cove page open URL --new", "press_key": "cove page press",
		"resize_page": "cove page resize", "save_pdf": "cove page pdf", "select_page": "cove page tab",
		"take_screenshot": "cove page screenshot", "take_snapshot": "cove page snapshot", "type_text": "cove page type",
		"upload_file": "cove page upload", "wait_for": "cove page wait",
		"performance_start_trace": "cove page trace start", "performance_stop_trace": "cove page trace stop",
		"performance_analyze_insight": "cove page trace insight",
	}
})

// toolNames matches the names of tools in a sentence. Those that are words of English are left alone.
var toolNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)
})

// awaitCall matches the call by which an MCP client waits further for a request.
var awaitCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`call ask_person \{"request":"([0-9-]+)"\}`)
})

// claimCall matches the call by which an MCP client takes a page from another agent.
var claimCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`select_page \{"pageId":(\d+),"take":true\}`)
})

// inShell returns a sentence of Cove's in which tools have the names of their commands. Words of a page between marks
// stay as they are.
func inShell(text string) string {
	ours, quote, found := strings.Cut(text, "«")
	if !found {
		return commandWords(text)
	}
	quote, rest, _ := strings.Cut(quote, "»")
	return commandWords(ours) + "«" + quote + "»" + inShell(rest)
}

func commandWords(text string) string {
	text = awaitCall().ReplaceAllString(text, "run `cove page ask --wait $1`")
	text = claimCall().ReplaceAllString(text, "`cove page tab $1 --take`")
	text = strings.NewReplacer("give filePath", "give -o FILE", "Give its frame,", "Give --frame REF,",
		"navigate_page with type reload", "`cove page reload`",
		"list_page_tools with its name", "`cove page tools NAME`").Replace(text)
	text = toolNames().ReplaceAllStringFunc(text, func(name string) string {
		if command, ok := commandOf()[name]; ok {
			return "`" + command + "`"
		}
		return name
	})
	text = strings.NewReplacer("without uid", "without -u", "without fullPage and uid", "without --full and -u",
		"uid or fullPage", "-u or --full", "with uid ", "with the ref ", "a pageId", "-t N", "pageId", "-t N",
	).Replace(text)
	return uidWord().ReplaceAllString(text, "ref$1")
}

// uidWord matches what MCP clients call a ref.
var uidWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\buid(s?)\b`) })

// quotedInShell is inShell for an error that quotes a page. Only the ends of its sentence are surely Cove's.
func quotedInShell(text string) string {
	if rest, ok := strings.CutPrefix(text, "The element with uid "); ok {
		return "The element with the ref " + rest
	}
	if rest, ok := strings.CutSuffix(text, " is not a uid."); ok {
		return rest + " is not a ref."
	}
	return text
}
