//go:build e2e

package policy

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"cove/internal/sensitive"

	"cove/e2e/harness"
)

// sensitiveTable lists fields, headers and hosts with the verdict that every part of the program must give.
type sensitiveTable struct {
	Fields []struct {
		Type         string         `json:"type"`
		Autocomplete string         `json:"autocomplete"`
		Name         string         `json:"name"`
		ID           string         `json:"id"`
		Kind         sensitive.Kind `json:"kind"`
	} `json:"fields"`
	Headers []struct {
		Name      string `json:"name"`
		Sensitive bool   `json:"sensitive"`
	} `json:"headers"`
	Hosts []struct {
		Host    string `json:"host"`
		Payment bool   `json:"payment"`
	} `json:"hosts"`
}

func readSensitiveTable(t *testing.T) (table sensitiveTable) {
	t.Helper()
	raw, err := os.ReadFile("../internal/sensitive/testdata/table.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &table); err != nil || len(table.Fields) < 60 || len(table.Hosts) == 0 {
		t.Fatalf("%d fields, %d hosts, %v", len(table.Fields), len(table.Hosts), err)
	}
	return table
}

// value returns what field i of the table holds on the page that shows them all.
func (s sensitiveTable) value(i int) string {
	if s.Fields[i].Type == "month" {
		return fmt.Sprintf("%d-01", 2100+i)
	}
	return fmt.Sprint(70_000 + i)
}

// isTyped reports whether people see and type the value of field i.
func (s sensitiveTable) isTyped(i int) bool {
	switch s.Fields[i].Type {
	case "hidden", "checkbox", "submit", "file":
		return false
	}
	return true
}

// oneFieldPage has a form whose field and frame a script replaces.
const oneFieldPage = `<!doctype html><title>one field</title><body style="margin:0">
<form onsubmit="return false" style="margin:0">
<button style="position:absolute;left:0;top:0;width:100px;height:50px">Send</button>
<p style="margin-top:60px"></p></form>
<script>
const put = (tag, attributes) => {
  const el = document.createElement(tag);
  for (const name in attributes) if (attributes[name] !== '') el.setAttribute(name, attributes[name]);
  document.querySelector('p').replaceChildren(el);
  return el;
};
function showField({ type, autocomplete, name, id }) {
  const el = put('input', { type, autocomplete, name, id });
  if (el.type !== 'file') el.value = el.type === 'month' ? '2030-01' : '42';
}
function showFrame(host, width) { // what the frame shows needs no network
  put('iframe', { src: host && 'https://' + host + '/card', srcdoc: 'frame', width, height: 40 });
}
</script>`

// newSensitiveSite serves the page with one field, one with all fields, and an answer with all headers.
func newSensitiveSite(t *testing.T, table sensitiveTable) *httptest.Server {
	t.Helper()
	var all strings.Builder
	all.WriteString("<!doctype html><title>all fields</title><script>fetch('/headers')</script>")
	for i, f := range table.Fields {
		fmt.Fprintf(&all, "<p><input value=%q", table.value(i))
		for name, value := range map[string]string{
			"type": f.Type, "autocomplete": f.Autocomplete, "name": f.Name, "id": f.ID,
		} {
			if value != "" {
				fmt.Fprintf(&all, ` %s="%s"`, name, html.EscapeString(value))
			}
		}
		all.WriteString(">\n")
	}

	routes := http.NewServeMux()
	routes.HandleFunc("/one", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, oneFieldPage) })
	routes.HandleFunc("/all", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, all.String()) })
	routes.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) {
		for i, h := range table.Headers {
			value := fmt.Sprintf("a=header-%d-", i)
			if h.Name == "content-type" {
				value = "text/plain; " + value
			}
			w.Header().Add(strings.TrimSpace(h.Name), value)
		}
	})
	s := httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s
}

// The gate, the tools, the script in the pages and the table itself give the same verdict on each field and each host
// of a frame.
func TestSensitiveFieldsGetOneVerdict(t *testing.T) {
	table := readSensitiveTable(t)
	web := newSensitiveSite(t, table)
	a := harness.Start(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--tabs", "shared", "--right", "submit=no", "--right",
		"script=yes")
	a.Open(1)
	g := a.Agent("1")
	g.Works("navigate_page", harness.Object{"url": web.URL + "/one"})
	send := g.Find(`button "Send"`)
	w, _ := dialWire(t, a.Socket(1))
	page := w.attach(web.URL + "/one")
	show := func(expression string) {
		t.Helper()
		w.must(page, "Runtime.evaluate", m{"expression": expression}, nil)
	}
	const needsRight = "password or a payment"
	verdict := func() (program, tool bool) {
		err := w.mouse(page, "mousePressed", 20)
		if program = strings.Contains(err, needsRight); !program {
			if err += w.mouse(page, "mouseReleased", 20); err != "" {
				t.Errorf("a press: %s", err)
			}
		}
		got := g.Tool("click", harness.Object{"uid": send})
		if tool = strings.Contains(got.Text, needsRight); tool != got.IsError {
			t.Errorf("a click: %s", got.Text)
		}
		return program, tool
	}

	t.Run("fields", func(t *testing.T) {
		var found []sensitive.Kind
		w.value(page, `(() => { const s = `+sensitive.Script()+`, all = `+asJSON(t, table.Fields)+`;
			return all.map((f) => s.field(f.type, f.autocomplete, f.name, f.id)) })()`, &found)
		for i, f := range table.Fields {
			kind := sensitive.Field{Type: f.Type, Autocomplete: f.Autocomplete, Name: f.Name, ID: f.ID}.Kind()
			show("showField(" + asJSON(t, f) + ")")
			program, tool := verdict()
			want := f.Kind != sensitive.None
			if program != want || tool != want || found[i] != f.Kind || kind != f.Kind {
				t.Errorf("%+v: program %v, tool %v, page script %q, table %q", f, program, tool, found[i], kind)
			}
		}
	})
	t.Run("a field that is drawn as dots", func(t *testing.T) {
		show("showField({ name: 'q' }); document.querySelector('input').style.webkitTextSecurity = 'disc'")
		if program, tool := verdict(); !program || !tool {
			t.Errorf("program %v, tool %v", program, tool)
		}
	})
	t.Run("payment frames", func(t *testing.T) {
		var found []bool
		w.value(page, `(() => { const s = `+sensitive.Script()+`;
			return `+asJSON(t, table.Hosts)+`.map((h) => s.paymentHost(h.host)) })()`, &found)
		for i, h := range table.Hosts {
			show(fmt.Sprintf("showFrame(%q, 200)", h.Host))
			program, tool := verdict()
			if program != h.Payment || tool != h.Payment || found[i] != h.Payment ||
				sensitive.PaymentHost(h.Host) != h.Payment {
				t.Errorf("%+v: program %v, tool %v, page script %v", h, program, tool, found[i])
			}
		}
		show("showFrame('js.stripe.com', 1)") // as its script adds it to pages without a payment
		if program, tool := verdict(); program || tool {
			t.Errorf("a frame that nobody sees: program %v, tool %v", program, tool)
		}
	})
}

// The gate and the tools hide the same values of fields and headers.
func TestSensitiveValuesAreHiddenAlike(t *testing.T) {
	table := readSensitiveTable(t)
	web := newSensitiveSite(t, table)
	a := harness.Start(t)
	a.Must("policy", "set", "1", "--preset", "guarded")
	a.Open(1)
	w, _ := dialWire(t, a.Socket(1))
	_, page := w.tab("about:blank")
	w.must(page, "Page.enable", nil, nil)
	w.must(page, "Network.enable", nil, nil)
	w.must(page, "Page.navigate", m{"url": web.URL + "/all"}, nil)
	harness.Wait(t, "the headers", func() bool {
		return strings.Contains(w.transcript(), "header-15-") && strings.Contains(w.transcript(), "loadEventFired")
	})
	var document, captured json.RawMessage
	w.must(page, "DOM.getDocument", m{"depth": -1, "pierce": true}, &document)
	w.must(page, "DOMSnapshot.captureSnapshot", m{"computedStyles": []string{}}, &captured)
	g := a.Agent("1")
	g.Works("navigate_page", harness.Object{"url": web.URL + "/all"})
	snapshot := g.Works("take_snapshot", harness.Object{"verbose": true})

	for i, f := range table.Fields {
		hidden := f.Kind == sensitive.Password
		for name, text := range map[string]string{
			"document": string(document), "captured snapshot": string(captured), "snapshot": snapshot,
		} {
			if shown := strings.Contains(text, table.value(i)); shown == hidden && (hidden || table.isTyped(i)) {
				t.Errorf("%+v: the %s shows its value: %v", f, name, shown)
			}
		}
	}

	said := ""
	for _, id := range regexp.MustCompile(`reqid=(\d+)[^\n]*/headers`).FindAllStringSubmatch(
		g.Works("list_network_requests", nil), -1) {
		said = g.Works("get_network_request", harness.Object{"reqid": id[1]})
	}
	for i, h := range table.Headers {
		mark := fmt.Sprintf("header-%d-", i)
		program, tool := strings.Contains(w.transcript(), mark), strings.Contains(said, mark)
		if program == h.Sensitive || tool == h.Sensitive || sensitive.Header(h.Name) != h.Sensitive {
			t.Errorf("%+v: shown to a program %v, by a tool %v", h, program, tool)
		}
	}
}

// asJSON returns a value as an expression of a script.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// attach returns a session on the tab, or the frame in a process of its own, that shows an address.
func (w *wire) attach(address string) string {
	w.t.Helper()
	var all struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", nil, &all)
	for _, at := range all.TargetInfos {
		if (at.Type == "page" || at.Type == "iframe") && at.URL == address {
			var attached struct{ SessionID string }
			w.must("", "Target.attachToTarget", m{"targetId": at.TargetID, "flatten": true}, &attached)
			return attached.SessionID
		}
	}
	w.t.Fatalf("no tab shows %s: %+v", address, all)
	return ""
}

// value evaluates an expression and reads its value.
func (w *wire) value(session, expression string, value any) {
	w.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	w.must(session, "Runtime.evaluate", m{"expression": expression, "returnByValue": true}, &r)
	if err := json.Unmarshal(r.Result.Value, value); err != nil || r.ExceptionDetails != nil {
		w.t.Fatalf("%s: %v %s", expression, err, r.ExceptionDetails)
	}
}
