//go:build e2e

package clients

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// shellOn returns an agent in a shell that has opened a page with this body.
func shellOn(t *testing.T, body string) *harness.Shell {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Page</title>" + body))
	}))
	t.Cleanup(web.Close)
	s := harness.Start(t).Shell("tester", "one")
	s.Does("open", web.URL)
	return s
}

// A page that is too long for an agent is whole in a file; otherwise the agent reads what is missing.
func TestALongPageInAShell(t *testing.T) {
	s := shellOn(t, `<ul id=l></ul><script>
for (let i = 1; i <= 10000; i++) l.insertAdjacentHTML('beforeend', '<li><a href="/' + i + '">Link ' + i + '</a>')</script>`)
	links := func(text string) int { return strings.Count(text, `link "Link `) }

	has(t, s.Does("snapshot"), "\ncut: all ", "\nleft out: ", "-m ", "-o FILE")
	if got := s.Does("snapshot", "-o", "all.txt"); strings.Contains(got, "left out") {
		t.Errorf("with -o: %s", got)
	}
	raw, err := os.ReadFile(filepath.Join(s.Dir, "all.txt"))
	if n := links(string(raw)); err != nil || n != 10_000 {
		t.Errorf("the file has %d links (%v)", n, err)
	}
	has(t, s.Does("snapshot", "-m", "1000", "-o", "part.txt"), " lines\nleft out: ")
}

const lists = `<p id=out>Chosen: none</p><span id=a>Fruit</span>
<div role=combobox aria-labelledby=a aria-expanded=false aria-controls=fruits tabindex=0 id=fruit>-</div>
<ul role=listbox id=fruits hidden><li role=option>Apple<li role=option>Banana</ul>
<label>Tree <input role=combobox id=tree aria-expanded=false aria-controls=trees></label>
<ul role=listbox id=trees hidden><li role=option>Oak<li role=option>Pine</ul>
<label>City <input role=combobox id=city aria-expanded=false aria-controls=cities></label><output id=typed></output>
<ul role=listbox id=cities hidden></ul>
<div contenteditable role=textbox aria-label=Note>text</div><label>Name <input value=Ann></label>
<select multiple id=many aria-label=Many><option selected>A<option>B<option>C<option disabled>D</select>
<select id=single aria-label=Single><option>One<option>Two</select>
<script>
function wire(box, list) {
  box.onclick = () => { list.hidden = false }
  list.onclick = e => {
    out.textContent = 'Chosen: ' + e.target.textContent; list.hidden = true
    if ('value' in box) box.value = e.target.textContent; else box.textContent = e.target.textContent
  }
}
wire(fruit, fruits); wire(tree, trees); wire(city, cities)
city.oninput = () => {
  typed.textContent = city.value
  cities.innerHTML = city.value.startsWith('Par') ? '<li role=option>Paris' : ''; cities.hidden = false
}
</script>`

// A list has the option that was chosen, or the step fails.
func TestAShellChoosesOptions(t *testing.T) {
	s := shellOn(t, lists)
	for _, c := range []struct{ list, option string }{
		{"Fruit", "Banana"}, {"Tree", "Pine"}, {"Tree", "Oak"}, {"City", "Paris"}} {
		s.Does("select", s.Ref(`combobox "`+c.list+`"`), c.option)
		if got := s.Does("eval", "out.textContent"); got != " Chosen: "+c.option+"\n" {
			t.Errorf("%s: %q", c.list, got)
		}
	}
	s.Fails(3, "Banana", "select", s.Ref(`combobox "Fruit"`), "Kiwi")
	s.Fails(3, "no option", "select", s.Ref(`combobox "Tree"`), "Kiwi")
	s.Fails(3, "no option", "select", s.Ref(`combobox "City"`), "Kiwi")
	s.Fails(2, "not a list", "select", s.Ref(`textbox "Note"`), "Kiwi")
	s.Fails(2, "not a list", "select", s.Ref(`textbox "Name"`), "Kiwi")
	if got := s.Does("eval", "[out.textContent, tree.value, city.value].join()"); got != " Chosen: Paris,Oak,Paris\n" {
		t.Errorf("after options that are not there: %q", got)
	}

	many := s.Ref(`listbox "Many"`)
	chosen := "[...many.selectedOptions].map(o => o.text).join('')"
	for _, c := range []struct {
		want    string
		options []string
	}{{"AC", []string{"C", "A"}}, {"B", []string{"B"}}, {"BC", []string{"B", "C"}}} {
		s.Does(append([]string{"select", many}, c.options...)...)
		if got := s.Does("eval", chosen); got != " "+c.want+"\n" {
			t.Errorf("select %v: %q", c.options, got)
		}
	}
	s.Fails(3, "A, B, C", "select", many, "A", "E")
	s.Fails(4, "disabled", "select", many, "A", "D")
	s.Fails(2, "one option", "select", s.Ref(`combobox "Single"`), "One", "Two")
	if got := s.Does("eval", chosen); got != " BC\n" {
		t.Errorf("after refusals: %q", got)
	}
}

// A prompt that is accepted without a text has its default, a dialog that Cove answers is told, and one that follows
// another does not hide that the step was done.
func TestDialogsInAShell(t *testing.T) {
	s := shellOn(t, `<button onclick="out.textContent = prompt('Name?', 'def')">Prompt</button>
<button id=ask onclick="out.textContent = confirm('Sure?')">Confirm</button>
<button onclick="alert(1); alert(2)">Two</button><output id=out></output>`)
	shows := func(want string) {
		t.Helper()
		if got := s.Does("eval", "'<' + out.textContent + '>'"); got != " <"+want+">\n" {
			t.Errorf("the page has %q, not %q", got, want)
		}
	}
	prompt := s.Ref(`button "Prompt"`)
	s.Does("click", prompt)
	s.Does("dialog", "accept")
	shows("def")
	s.Does("click", prompt)
	s.Does("dialog", "accept", "")
	shows("")
	has(t, s.Does("eval", "prompt('Name?', 'mine')", "--dialog", "accept"), "accepted\n mine\n")

	if got := s.Does("eval", "ask.click()"); got != "dialog \"confirm: Sure?\" dismissed\n undefined\n" {
		t.Errorf("eval: %q", got)
	}
	shows("false")
	has(t, s.Does("eval", "ask.click()", "--dialog", "accept"), `dialog "confirm: Sure?" accepted`)
	shows("true")
	if p := s.Try("eval", "alert('x'); throw 'no'"); p.Code == 0 || !strings.Contains(p.Out, `dialog "alert: x" dismissed`) {
		t.Errorf("a script that fails after a dialog: %+v", p)
	}

	has(t, s.Does("click", s.Ref(`button "Two"`), "-s"), `ok dialog "alert: 1"`)
	if got := s.Does("dialog", "accept", "-s"); got != "ok dialog \"alert: 2\"\n" {
		t.Errorf("the second dialog: %q", got)
	}
	has(t, s.Does("dialog", "accept", "-s"), "ok\n", `button "Two"`)
}

// What is typed stands beside what a field holds, also a secret; what is filled in replaces it.
func TestASecretIsTypedLikeAnyText(t *testing.T) {
	s := shellOn(t, `<label>Text <input></label><label>Password <input type=password></label>
<script>const held = i => document.querySelectorAll('input')[i].value
const checks = { typed: v => v === 'prefix-s3cret' + '-wordend', filled: v => v === 'x s3cret' + '-word',
  twice: v => v === 's3cret-word'.repeat(2) }</script>`)
	secret(t, s.App, "s3cret-word", "own", "--profile", "1", "--site", strings.Fields(s.Does("tabs"))[2])
	for i, field := range []string{"Text", "Password"} {
		ref := s.Ref(`textbox "` + field + `"`)
		holds := func(check string) {
			t.Helper()
			if got := s.Does("eval", fmt.Sprintf("checks.%s(held(%d))", check, i)); got != " true\n" {
				t.Errorf("%s, %s: %q", field, check, got)
			}
		}
		s.Does("fill", ref+"=prefix-")
		s.Does("type", "{{secret:own}}")
		s.Does("type", "end")
		holds("typed")
		s.Does("fill", ref+"=x {{secret:own}}")
		holds("filled")
		s.Does("fill", ref+"={{secret:own}}")
		s.Does("type", "{{secret:own}}")
		holds("twice")
	}
}

func TestAFolderIsNotUploaded(t *testing.T) {
	s := shellOn(t, `<input type=file aria-label=File>`)
	s.Fails(2, "is a folder", "upload", s.Ref("File"), ".")
	s.Fails(3, "There is no file", "upload", s.Ref("File"), "missing.txt")
}
