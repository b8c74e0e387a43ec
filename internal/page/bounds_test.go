package page

import (
	"fmt"
	"strings"
	"testing"

	"cove/internal/fault"
)

func TestConsoleIsBounded(t *testing.T) {
	f, tab := newFake(t)
	log := func(text string) {
		f.tell(session, "Runtime.consoleAPICalled", object{"type": "log", "args": []object{{"type": "string", "value": text}, {"type": "string", "value": text}}})
	}
	for i := range 3 * maxMessages {
		log(fmt.Sprint("message ", i))
	}
	all := tab.Messages(false)
	if len(all) > maxMessages || len(all) < maxMessages/2 {
		t.Errorf("%d messages are kept", len(all))
	}
	if last := all[len(all)-1]; !strings.HasPrefix(last.Text, fmt.Sprint("message ", 3*maxMessages-1)) || last.ID != 3*maxMessages {
		t.Errorf("the last is %d %q", last.ID, last.Text)
	}
	for i := range 200 {
		log(fmt.Sprint(i, strings.Repeat("é", 20_000)))
	}
	kept := 0
	for _, m := range tab.Messages(false) {
		kept += m.size()
	}
	if kept > maxConsole || kept < maxConsole/4 {
		t.Errorf("%d bytes are kept", kept)
	}
	if tab.console.bytes != kept {
		t.Errorf("%d bytes are counted, %d kept", tab.console.bytes, kept)
	}
	log("the same")
	log("the same")
	if all = tab.Messages(false); all[len(all)-1].Times != 2 {
		t.Errorf("a message that came twice: %+v", all[len(all)-1])
	}
	f.navigate("L1", "http://x/")
	if len(tab.Messages(false)) != 0 || len(tab.Messages(true)) == 0 {
		t.Error("a new document begins with an empty console, and the old one is kept")
	}
	if _, ok := tab.Message(-1); ok {
		t.Error("there is a message -1")
	}
}

func TestTextOf(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"short", `"abc"`, "abc"},
		{"escapes", `"a\"\u00e9\n"`, "a\"é\n"},
		{"long", `"` + strings.Repeat("x", 100_000) + `"`, strings.Repeat("x", maxMessageBytes)},
		{"long, of escapes", `"` + strings.Repeat(`\ud83d\ude00`, 20_000) + `"`, "😀😀😀"},
		{"long, of slashes", `"` + strings.Repeat(`\\`, 60_000) + `"`, `\\\`},
		{"long, of bytes", `"` + strings.Repeat("é", 60_000) + `"`, strings.Repeat("é", maxMessageBytes)},
	} {
		got := textOf([]byte(c.raw))
		if !strings.HasPrefix(got, c.want) || len([]rune(got)) > maxMessageBytes+40 {
			t.Errorf("%s: %d characters: %.40q", c.name, len([]rune(got)), got)
		}
	}
}

func TestNetworkIsBounded(t *testing.T) {
	f, tab := newFake(t)
	send := func(id, url, body string) {
		f.tell(session, "Network.requestWillBeSent", object{"requestId": id, "type": "Fetch", "request": object{"url": url, "method": "POST", "postData": body}})
	}
	for i := range 3 * maxRequests {
		send(fmt.Sprint(i), "http://x/", "")
	}
	if n := len(tab.Requests(false)); n > maxRequests || n < maxRequests/2 || len(tab.network.open) != n {
		t.Errorf("%d requests are kept, %d open", n, len(tab.network.open))
	}
	for i := range 300 {
		send(fmt.Sprint("b", i), "http://x/"+strings.Repeat("u", 9000), strings.Repeat("b", 70_000))
	}
	kept := 0
	for _, r := range tab.Requests(false) {
		kept += r.size()
	}
	if kept > maxNetwork || kept < maxNetwork/4 || kept != tab.network.bytes {
		t.Errorf("%d bytes are kept, %d counted", kept, tab.network.bytes)
	}
	all := tab.Requests(false)
	last := all[len(all)-1]
	many := object{}
	for i := range 1000 {
		many[fmt.Sprint("h", i)] = "v"
	}
	f.tell(session, "Network.responseReceived", object{"requestId": "b299", "response": object{"status": 200, "headers": many, "mimeType": "text/plain"}})
	f.tell(session, "Network.loadingFinished", object{"requestId": "b299"})
	r, ok := tab.Request(last.ID)
	if !ok || !r.Finished || r.Status != 200 || len(r.Answered) != maxHeaders {
		t.Errorf("%v %v %d, %d headers", ok, r.Finished, r.Status, len(r.Answered))
	}
	send("doc", "http://x/next", "")
	f.navigate("doc", "http://x/next")
	if all := tab.Requests(false); len(all) != 1 || all[0].URL != "http://x/next" {
		t.Errorf("the new document has %d requests", len(all))
	}
	f.tell(session, "Network.requestWillBeSent", object{"requestId": "doc", "type": "Document", "request": object{"url": "http://x/over", "method": "GET"}, "redirectResponse": object{"status": 302}})
	if all := tab.Requests(false); len(all) != 2 || all[0].Status != 302 || !all[0].Finished || all[1].Finished {
		t.Errorf("a redirect: %+v", all)
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc…(+1 characters)"}, {"éé", 2, "éé"}, {"ééé", 2, "éé…(+1 characters)"}, {"", 0, ""}, {"\xff\xfe\xfd", 2, "\xff\xfe…(+1 characters)"},
	} {
		if got := short(c.text, c.most); got != c.want {
			t.Errorf("short(%q, %d) = %q", c.text, c.most, got)
		}
	}
}

func TestPretty(t *testing.T) {
	if got := Pretty(`"ééé"`, 4); got != `"é…(+5 bytes; return less, or give filePath)` {
		t.Errorf("%q", got)
	}
	if got := Pretty("12", 4); got != "12" {
		t.Errorf("%q", got)
	}
}

func TestCheckURL(t *testing.T) {
	for _, c := range []struct{ url, code string }{
		{"http://example.com", ""}, {"https://example.com/a?b#c", ""}, {"  https://example.com", ""}, {"about:blank", ""}, {"data:text/html,x", ""}, {"blob:http://x/1", ""},
		{"file:///tmp/x", ""}, {"view-source:http://x/", ""}, {"HTTP://EXAMPLE.COM", ""},
		{"", "E_INVALID"}, {"example.com", "E_INVALID"}, {"http://", "E_INVALID"}, {"https:///path", "E_INVALID"}, {"http://a\nb", "E_INVALID"}, {"http://a\tb", "E_INVALID"}, {"//x", "E_INVALID"}, {"http://[::1", "E_INVALID"},
		{"javascript:alert(1)", "E_INVALID"}, {"JavaScript:alert(1)", "E_INVALID"},
		{"chrome://settings", ""}, {"about:version", ""}, {"devtools://devtools", ""}, {"chrome-untrusted://x", ""}, {"ws://x", "E_INVALID"}, {"ftp://x", "E_INVALID"}, {"intent:x", "E_INVALID"},
	} {
		err, code := CheckURL(c.url), ""
		if err != nil {
			code = string(fault.From(err).Code)
		}
		if code != c.code {
			t.Errorf("%q: %q, want %q", c.url, code, c.code)
		}
	}
}

func TestParseKeys(t *testing.T) {
	show := func(all []stroke) string {
		var words []string
		for _, s := range all {
			sign := "-"
			if s.down {
				sign = "+"
			}
			words = append(words, fmt.Sprintf("%s%s/%d/%s", sign, s.key.key, s.modifiers, strings.ReplaceAll(s.text, "\r", "CR")))
		}
		return strings.Join(words, " ")
	}
	for _, c := range []struct{ keys, want string }{
		{"a", "+a/0/a -a/0/"},
		{"A", "+Shift/8/ +A/8/A -A/8/ -Shift/0/"},
		{"Enter", "+Enter/0/CR -Enter/0/"},
		{"Return", "+Enter/0/CR -Enter/0/"},
		{"Esc", "+Escape/0/ -Escape/0/"},
		{"Control+A", "+Control/2/ +a/2/ -a/2/ -Control/0/"},
		{"Ctrl+a", "+Control/2/ +a/2/ -a/2/ -Control/0/"},
		{"Shift+a", "+Shift/8/ +A/8/A -A/8/ -Shift/0/"},
		{"Control+Shift+R", "+Control/2/ +Shift/10/ +R/10/ -R/10/ -Shift/2/ -Control/0/"},
		{"Control+Shift+r", "+Control/2/ +Shift/10/ +R/10/ -R/10/ -Shift/2/ -Control/0/"},
		{"Shift+Enter", "+Shift/8/ +Enter/8/CR -Enter/8/ -Shift/0/"},
		{"+", "+Shift/8/ ++/8/+ -+/8/ -Shift/0/"},
		{"Control++", "+Control/2/ ++/2/ -+/2/ -Control/0/"},
		{"Shift", "+Shift/8/ -Shift/0/"},
		{"F12", "+F12/0/ -F12/0/"},
		{"Space", "+ /0/  - /0/"},
		{"é", ""}, {"", ""}, {"Nonsense", ""}, {"a+b", ""}, {"Control+", ""}, {"+a", ""}, {"Enter+Control", ""},
	} {
		strokes, err := parseKeys(c.keys)
		if (err != nil) != (c.want == "") || show(strokes) != c.want {
			t.Errorf("%q: %s (%v), want %s", c.keys, show(strokes), err, c.want)
		}
	}
}

func TestParseViewport(t *testing.T) {
	for _, c := range []struct {
		text string
		want Viewport
		ok   bool
	}{
		{"400x800", Viewport{400, 800, 1, false, false, false}, true},
		{"400x800x2,mobile,touch", Viewport{400, 800, 2, true, true, false}, true},
		{"400x800x1.5, landscape", Viewport{400, 800, 1.5, false, false, true}, true},
		{text: ""}, {text: "400"}, {text: "x"}, {text: "0x0"}, {text: "-1x5"}, {text: "400x800x0"}, {text: "400x800x2x2"}, {text: "400x800,wide"}, {text: "99999x1"}, {text: "1x1xNaN"},
	} {
		got, err := ParseViewport(c.text)
		if (err == nil) != c.ok || (c.ok && got != c.want) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
}

func TestParsePlace(t *testing.T) {
	for text, ok := range map[string]bool{"52.5,13.4": true, "52.5x13.4": true, "-90,180": true, "91,0": false, "0,181": false, "1": false, "a,b": false, "": false, "NaN,1": false} {
		if _, _, err := parsePlace(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCombinationsThatUseTheClipboard(t *testing.T) {
	for _, keys := range []string{"Control+V", "control+v", "Ctrl+Shift+V", "Control+KeyV", "Meta+V", "Cmd+c", "Control+X", "Shift+Insert", "Control+Insert", "Shift+Delete", "Shift+Del", "Meta+Alt+Shift+v"} {
		if !UsesClipboard(keys) {
			t.Errorf("%s does", keys)
		}
	}
	for _, keys := range []string{"v", "V", "Shift+V", "Control+A", "Delete", "Insert", "Enter", "Alt+c", "", "Control+", "nothing"} {
		if UsesClipboard(keys) {
			t.Errorf("%s does not", keys)
		}
	}
}
