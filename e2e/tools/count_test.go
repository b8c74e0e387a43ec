//go:build e2e

package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// control is one element of a page that counts: it acts once for each of its events, and then something becomes of it.
type control struct {
	ID string `json:"id"`
	// Kind is how it is made: button, link, option, tab, check, radio, switch, branch, text, area, editor, range,
	// select, date, form, entry, menu, chooser, file, drag, drop.
	Kind string `json:"kind"`
	// Event is what it acts on.
	Event string `json:"event"`
	// Fate is what its own action makes of it: stays, removed, redrawn, disabled, moved, pushed, navigated.
	Fate string `json:"fate"`
	// When the fate comes: now, soon (a microtask), later (a task), frame (the next picture).
	When string `json:"when"`

	role string
	tool string
	args harness.Object
	// most is how often it may act.
	most int
}

var (
	fates = []string{"stays", "removed", "redrawn", "disabled", "moved", "pushed", "navigated"}
	whens = []string{"now", "soon", "later", "frame"}
)

// controls are all kinds of controls with every event that they act on, each with every fate.
func controls() (all []control) {
	add := func(c control) {
		for _, c.Fate = range fates {
			for _, c.When = range whens {
				if c.Fate == "stays" && c.When != "now" {
					continue
				}
				c.ID = "c" + strconv.Itoa(len(all))
				all = append(all, c)
			}
		}
	}
	click := []string{"pointerdown", "mousedown", "pointerup", "mouseup", "click"}
	for _, kind := range []string{"button", "option", "tab"} {
		for _, event := range click {
			add(control{Kind: kind, role: kind, Event: event, tool: "click", most: 1})
		}
	}
	for _, event := range click {
		add(control{Kind: "menu", role: "combobox", Event: event, tool: "fill",
			args: harness.Object{"value": "Pear"}, most: 1})
	}
	add(control{Kind: "link", role: "link", Event: "click", tool: "click", most: 1})
	add(control{Kind: "button", role: "button", Event: "dblclick", tool: "click",
		args: harness.Object{"dblClick": true}, most: 1})
	add(control{Kind: "button", role: "button", Event: "click", tool: "click",
		args: harness.Object{"dblClick": true}, most: 2})
	add(control{Kind: "check", role: "checkbox", Event: "change", tool: "click", most: 1})
	add(control{Kind: "check", role: "checkbox", Event: "change", tool: "fill",
		args: harness.Object{"value": "true"}, most: 1})
	add(control{Kind: "radio", role: "radio", Event: "change", tool: "click", most: 1})
	add(control{Kind: "radio", role: "radio", Event: "change", tool: "fill", args: harness.Object{"value": "true"},
		most: 1})
	add(control{Kind: "branch", role: "treeitem", Event: "click", tool: "click", most: 1})
	add(control{Kind: "branch", role: "treeitem", Event: "mousedown", tool: "click", most: 1})
	add(control{Kind: "branch", role: "treeitem", Event: "keydown", tool: "fill",
		args: harness.Object{"value": "true"}, most: 1})
	add(control{Kind: "range", role: "slider", Event: "change", tool: "fill", args: harness.Object{"value": "51"},
		most: 1})
	add(control{Kind: "area", role: "textbox", Event: "keydown", tool: "fill", args: harness.Object{"value": "x"},
		most: 1})
	add(control{Kind: "editor", role: "textbox", Event: "keydown", tool: "fill", args: harness.Object{"value": "x"},
		most: 1})
	add(control{Kind: "editor", role: "textbox", Event: "input", tool: "fill", args: harness.Object{"value": "x"},
		most: 1})
	add(control{Kind: "switch", role: "switch", Event: "pointerdown", tool: "fill",
		args: harness.Object{"value": "true"}, most: 1})
	add(control{Kind: "switch", role: "switch", Event: "mouseup", tool: "fill",
		args: harness.Object{"value": "true"}, most: 1})
	add(control{Kind: "text", role: "textbox", Event: "keydown", tool: "fill", args: harness.Object{"value": "x"},
		most: 1})
	add(control{Kind: "text", role: "textbox", Event: "input", tool: "fill", args: harness.Object{"value": "x"},
		most: 1})
	add(control{Kind: "text", role: "textbox", Event: "keydown", tool: "press_key",
		args: harness.Object{"key": "Enter"}, most: 1})
	add(control{Kind: "text", role: "textbox", Event: "keydown", tool: "type_text",
		args: harness.Object{"text": "x"}, most: 1})
	add(control{Kind: "text", role: "textbox", Event: "change", tool: "press_key",
		args: harness.Object{"key": "Enter"}, most: 1})
	add(control{Kind: "button", role: "button", Event: "keydown", tool: "press_key",
		args: harness.Object{"key": "Enter"}, most: 1})
	add(control{Kind: "button", role: "button", Event: "click", tool: "press_key",
		args: harness.Object{"key": "Enter"}, most: 1})
	add(control{Kind: "button", role: "button", Event: "click", tool: "press_key",
		args: harness.Object{"key": "Space"}, most: 1})
	add(control{Kind: "select", role: "combobox", Event: "change", tool: "fill",
		args: harness.Object{"value": "Pear"}, most: 1})
	add(control{Kind: "date", role: "Date", Event: "change", tool: "fill",
		args: harness.Object{"value": "2026-03-04"}, most: 1})
	add(control{Kind: "form", role: "button", Event: "submit", tool: "click", most: 1})
	add(control{Kind: "entry", role: "textbox", Event: "submit", tool: "press_key",
		args: harness.Object{"key": "Enter"}, most: 1})
	add(control{Kind: "file", role: "button", Event: "change", tool: "upload_file", most: 1})
	add(control{Kind: "chooser", role: "button", Event: "click", tool: "upload_file", most: 1})
	add(control{Kind: "drag", role: "button", Event: "drop", tool: "drag", most: 1})
	add(control{Kind: "drop", role: "button", Event: "pointerup", tool: "drag", most: 1})
	return all
}

// weight puts those first that act before they are clicked and are gone then, since one press of them once acted six
// times; and one of each kind, tool and event.
func (c control) weight() int {
	if c.Fate == "redrawn" && c.When == "now" {
		return 0
	}
	if c.Kind == "button" && (c.Fate == "removed" || c.Fate == "redrawn") && c.Event != "click" && c.tool == "click" {
		return 0
	}
	return 1
}

// countingPage makes the controls that it is given as JSON. It counts at the server before anything else happens, so
// that an action counts which takes the page away.
const countingPage = `<!doctype html><title>count</title><style>
  #all { display: flex; flex-wrap: wrap; gap: 12px } .cell { width: 260px; height: 64px; position: relative }
  button, a, [role] { display: inline-block; min-width: 60px; min-height: 20px; border: 1px solid }
</style><div id=all></div><script>
const did = (id) => { const x = new XMLHttpRequest(); x.open('POST', '/did/ROUND/' + id, false); x.send(); };
const el = (tag, attributes, text) => { const e = document.createElement(tag); for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v); if (text) e.textContent = text; return e; };
const fates = {
  stays() {}, removed(c, e) { e.remove(); }, redrawn(c, e) { e.replaceWith(make(c)); },
  disabled(c, e) { for (const x of [e, ...e.querySelectorAll('*')]) { x.disabled = true; x.setAttribute('aria-disabled', 'true'); } },
  moved(c, e) { e.style.transform = 'translate(120px, 30px)'; },
  pushed(c) { history.pushState({}, '', '?at=' + c.id); }, navigated(c) { location.href = '/there?from=' + c.id; },
};
const whens = { now: (f) => f(), soon: (f) => queueMicrotask(f), later: (f) => setTimeout(f), frame: (f) => requestAnimationFrame(f) };
function make(c) {
  let e, on;
  const wire = (what, whole = what, counts = () => true) => what.addEventListener(c.event, (event) => {
    // What an editor held is selected with keys first.
    if (!counts() || (c.kind === 'editor' && event.type === 'keydown' && event.key !== 'x')) return;
    if (!event.isTrusted && !/change|input/.test(event.type)) return;
    if (event.type === 'submit') event.preventDefault();
    if (event.type === 'drop') event.preventDefault();
    did(c.id);
    if (c.kind === 'switch') what.setAttribute('aria-checked', 'true');
    if (c.kind === 'branch') what.setAttribute('aria-expanded', 'true');
    whens[c.when](() => fates[c.fate](c, whole));
  });
  switch (c.kind) {
    case 'button': case 'text': case 'check': case 'radio': case 'range': case 'date': case 'file':
      e = c.kind === 'button' ? el('button', {}, c.id) : el('input', { type: { check: 'checkbox' }[c.kind] || c.kind, 'aria-label': c.id });
      wire(e); return e;
    case 'link': e = el('a', { href: '#' + c.id }, c.id); e.addEventListener('click', (x) => x.preventDefault()); wire(e); return e;
    case 'option': e = el('div', { role: 'option', tabindex: '-1' }, c.id); wire(e); return e;
    case 'tab': e = el('div', { role: 'tab', tabindex: '0' }, c.id); wire(e); return e;
    case 'branch': e = el('div', { role: 'treeitem', tabindex: '0', 'aria-expanded': 'false' }, c.id); wire(e); return e;
    case 'area': e = el('textarea', { 'aria-label': c.id }); wire(e); return e;
    case 'editor': e = el('div', { role: 'textbox', contenteditable: 'true', 'aria-label': c.id }); wire(e); return e;
    case 'switch': e = el('div', { role: 'switch', tabindex: '0', 'aria-checked': 'false' }, c.id); wire(e); return e;
    case 'select': e = el('select', { 'aria-label': c.id }); e.append(el('option', {}, 'Apple'), el('option', {}, 'Pear')); wire(e); return e;
    case 'menu': { // a select of the page's own making, whose list is drawn elsewhere
      e = el('button', { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': 'false', 'aria-label': c.id }, 'Apple');
      e.addEventListener('click', () => {
        if (e.getAttribute('aria-expanded') === 'true') return;
        e.setAttribute('aria-expanded', 'true');
        const list = el('div', { role: 'listbox', id: 'list-' + c.id });
        e.setAttribute('aria-controls', list.id);
        const offer = () => {
        const option = el('div', { role: 'option' }, 'Pear');
        option.addEventListener(c.event, () => {
          did(c.id); e.textContent = 'Pear';
          whens[c.when](() => { if (c.fate === 'redrawn') option.replaceWith(offer()); else if (c.fate === 'stays') option.setAttribute('aria-selected', 'true'); else if (c.fate === 'removed') { list.remove(); e.setAttribute('aria-expanded', 'false'); } else fates[c.fate](c, option); });
        });
        return option;
        };
        list.append(offer()); e.after(list);
      });
      return e;
    }
    case 'form': case 'entry':
      e = el('form'); e.append(c.kind === 'form' ? el('button', {}, c.id) : el('input', { 'aria-label': c.id })); wire(e); return e;
    case 'chooser': {
      e = el('button', {}, c.id);
      e.addEventListener('click', () => { const f = el('input', { type: 'file' }); f.onchange = () => did(c.id + '-file'); f.click(); });
      wire(e); return e;
    }
    case 'drag': {
      e = el('div'); const from = el('button', { draggable: 'true' }, c.id), to = el('button', {}, 'to ' + c.id);
      from.ondragstart = (x) => x.dataTransfer.setData('text/plain', c.id); to.ondragover = (x) => x.preventDefault();
      e.append(from, to); wire(to, to); return e;
    }
    case 'drop': {
      e = el('div'); const from = el('button', {}, c.id), to = el('button', {}, 'to ' + c.id); let held = false;
      from.onpointerdown = () => { held = true; }; e.append(from, to); wire(to, to, () => held); return e;
    }
  }
}
for (const c of CONTROLS) { const cell = el('div', { class: 'cell' }); const role = { option: 'listbox', branch: 'tree', tab: 'tablist' }[c.kind]; if (role) cell.setAttribute('role', role); cell.append(make(c)); all.append(cell); }
if (BUSY) setInterval(() => { for (const end = performance.now() + 25; performance.now() < end;); }, 40);
</script>`

// countingSite is a site that counts what its pages do.
type countingSite struct {
	mu    sync.Mutex
	round int
	did   map[string]int
	shown []control
	busy  bool
}

func (c *countingSite) page(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, _ := json.Marshal(c.shown)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, strings.NewReplacer("CONTROLS", string(list), "ROUND", strconv.Itoa(c.round), "BUSY",
		strconv.FormatBool(c.busy)).Replace(countingPage))
}

func (c *countingSite) count(_ http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[r.PathValue("round")+"/"+r.PathValue("id")]++
}

// times is how often a control has acted in this round.
func (c *countingSite) times(id string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.did[strconv.Itoa(c.round)+"/"+id]
}

// show makes the next round's page of these controls.
func (c *countingSite) show(some []control, busy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round++
	c.shown, c.busy = some, busy
}

// TestOneCallIsOneAction drives a page that counts, in the quiet and under load. COVE_ACTIONS is the number of calls:
// 2,000 in make trial-actions.
func TestOneCallIsOneAction(t *testing.T) {
	calls, _ := strconv.Atoi(os.Getenv("COVE_ACTIONS"))
	seed := uint64(1)
	if calls == 0 {
		calls = 120
	} else {
		seed = rand.Uint64()
		t.Logf("%d calls, seed %d", calls, seed)
	}
	site := &countingSite{did: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/count", site.page)
	mux.HandleFunc("/did/{round}/{id}", site.count)
	mux.HandleFunc("/there", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>there</title><h1>There</h1>")
	})
	base := host(t, mux)
	g := harness.NewOurs(t, harness.Start(t), 1)
	file := filepath.Join(t.TempDir(), "given.txt")
	if err := os.WriteFile(file, []byte("given"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := controls()
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b control) int { return cmp.Compare(a.weight(), b.weight()) })
	trial := &actionTrial{g: g, site: site, base: base, file: file}
	shares := map[bool]int{false: calls / 2, true: calls - calls/2}
	if os.Getenv("COVE_ACTIONS") == "" { // load makes each call slow
		shares = map[bool]int{false: calls * 3 / 4, true: calls / 4}
	}
	for _, busy := range []bool{false, true} {
		name, share := map[bool]string{false: "in the quiet", true: "under load"}[busy], shares[busy]
		t.Run(name, func(t *testing.T) {
			from := 0
			if busy {
				load(t)
				from = shares[false]
			}
			for n := 0; n < share; {
				some := make([]control, 0, 40)
				for ; len(some) < cap(some) && n < share; n++ {
					some = append(some, all[(from+n)%len(all)])
				}
				trial.round(t, some, busy)
			}
		})
	}
	t.Logf("%d calls: %d acted, %d lost and told, %d acted and told as pressed, %d twice, %d lost and not told",
		trial.calls, trial.acted, trial.lost, trial.pressed, trial.twice, trial.untold)
	if trial.acted < trial.calls*8/10 {
		t.Errorf("only %d of %d calls acted", trial.acted, trial.calls)
	}
}

// load keeps the processors busy beside the browser.
func load(t *testing.T) {
	t.Helper()
	for range 3 {
		cmd := harness.Exec(t, "sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}

// actionTrial is what came of the calls.
type actionTrial struct {
	g                                          *harness.Agent
	site                                       *countingSite
	base, file                                 string
	calls, acted, lost, pressed, twice, untold int
}

// round uses each of the controls once.
func (a *actionTrial) round(t *testing.T, some []control, busy bool) {
	t.Helper()
	a.site.show(some, busy)
	answers := map[string]harness.Said{}
	stale := true
	for _, c := range some {
		for try := 0; stale; try++ { // the page's own navigation may come only now, and after ours
			if s := a.g.Call("navigate_page", harness.Object{"url": a.base + "/count"}); s.Outcome() != "ok" {
				t.Fatal(s.Err, s.Text)
			}
			if err := a.g.Look(); err != nil {
				t.Fatal(err)
			}
			if _, err := a.g.UID(c.role + ` "` + c.ID + `"`); err == nil || try == 2 {
				break
			}
		}
		answers[c.ID] = a.use(t, c)
		stale = c.Fate == "navigated"
	}
	var done bool
	if err := a.g.Eval("() => true", &done); err != nil { // all that was sent has arrived
		t.Fatal(err)
	}
	for _, c := range some {
		a.judge(t, c, answers[c.ID])
	}
}

// use makes the call that a control is for.
func (a *actionTrial) use(t *testing.T, c control) harness.Said {
	t.Helper()
	args := harness.Object{}
	for k, v := range c.args {
		args[k] = v
	}
	uid, err := a.g.UID(c.role + ` "` + c.ID + `"`)
	if err != nil {
		t.Fatal(err)
	}
	switch c.tool {
	case "press_key", "type_text":
		change := ""
		if c.Event == "change" {
			change = "; document.execCommand('insertText', false, 'y')"
		}
		var ok bool
		if err := a.g.Eval("() => { [...document.querySelectorAll('button,input')].find((e) => (e.getAttribute('aria-label') || e.textContent) === '"+c.ID+"').focus()"+change+"; return true }", &ok); err != nil {
			t.Fatal(err)
		}
	case "drag":
		args["from_uid"] = uid
		if args["to_uid"], err = a.g.UID(`button "to ` + c.ID + `"`); err != nil {
			t.Fatal(err)
		}
	case "upload_file":
		args["uid"], args["filePaths"] = uid, []string{a.file}
	default:
		args["uid"] = uid
	}
	a.calls++
	return a.g.Call(c.tool, args)
}

func (a *actionTrial) judge(t *testing.T, c control, s harness.Said) {
	t.Helper()
	what := fmt.Sprintf("%s %s on %s, %s %s", c.tool, c.Kind, c.Event, c.Fate, c.When)
	if s.Err != nil {
		t.Fatalf("%s: %v", what, s.Err)
	}
	times := a.site.times(c.ID)
	if file := a.site.times(c.ID + "-file"); file > 1 {
		t.Errorf("%s: the file came %d times", what, file)
	}
	switch {
	case times > c.most:
		a.twice++
		t.Errorf("%s acted %d times: %s", what, times, s.Text)
	case times > 0 && !s.Failed:
		a.acted++
	case times > 0:
		a.pressed++
		// It acted, and the call did not come to the end that was asked for. The agent must learn that the page has
		// heard of it.
		if !slices.ContainsFunc([]string{"was pressed", "did not take", "did not open", "holds", "was clicked"},
			func(w string) bool { return strings.Contains(s.Text, w) }) {
			t.Errorf("%s acted, and the answer hides it: %s", what, s.Text)
		}
		t.Logf("%s: acted, and told as: %s", what, s.Text)
	case s.Failed:
		a.lost++
		t.Logf("%s: lost and told: %s", what, s.Text)
	default:
		a.untold++
		t.Errorf("%s did not act, and the answer says: %s", what, s.Text)
	}
}
