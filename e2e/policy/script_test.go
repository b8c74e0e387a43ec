//go:build e2e

package policy

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// docsScript is the script that docs/scripts.md shows.
func docsScript(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/scripts.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```js\n(.*?)```").FindSubmatch(text)
	if m == nil {
		t.Fatal("docs/scripts.md has no script")
	}
	return string(m[1])
}

// impatient is what a script must not do: it looks into the page while the person works there. It tells the site when
// it has tried, and prints what became of it after the answer.
const impatient = `
async function look(page) {
  const session = await page.createCDPSession();
  while ((await call('/asks')).data[0]?.state !== 'working') await new Promise((ok) => setTimeout(ok, 20));
  const sent = session.send('Runtime.evaluate', { expression: 'location.pathname' });
  const place = sent.then((r) => r.result.value, String);
  await fetch(new URL('/trying', process.argv[2]));
  return place;
}
`

// TestAPersonHelpsThePuppeteerScriptOfTheDocs: the script asks over HTTP, the person solves the captcha in the live
// view of a browser without a window, and the script goes on.
func TestAPersonHelpsThePuppeteerScriptOfTheDocs(t *testing.T) {
	for _, preset := range []string{"open", "guarded"} { // under guarded, a script needs a right
		for name, impatient := range map[string]string{"as it is shown": "", "that does not wait": impatient} {
			t.Run(preset+", "+name, func(t *testing.T) {
				web, a := newWorkSite(t), harness.Start(t)
				a.Policy(1, "--preset", preset, "--right", "script=yes")
				code := docsScript(t)
				if impatient != "" {
					const asks = "const answer = await askPerson("
					if strings.Count(code, asks) != 1 {
						t.Fatal("the script of the docs does not ask")
					}
					code = impatient + strings.Replace(code, asks, "const looked = look(page);\n"+asks, 1) +
						"console.log(JSON.stringify({ looked: await looked }));\n"
				}
				helpScript(t, a, web, code, impatient != "")
			})
		}
	}
}

func helpScript(t *testing.T, a *harness.App, web *workSite, code string, looks bool) {
	t.Helper()
	token, _, _ := harness.Output(t, harness.Command{Args: []string{harness.Cove, "token", "create", "shop"},
		Env: a.Environ()})
	cmd := harness.Exec(t, "node", "--input-type=module", "-", web.URL+"/captcha")
	var out, said harness.Words
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = "node", strings.NewReader(code), &out, &said
	cmd.Env = append(os.Environ(), "COVE_URL="+a.Base, "COVE_TOKEN="+strings.TrimSpace(token))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the script said\n%s%s", out.String(), said.String())
		}
	})

	ask := openRequest(t, a)
	if ask.Kind != "do" || ask.Agent.Name != "shop.mjs" || ask.Agent.Kind != "cdp" || ask.Tab == "" ||
		!strings.HasSuffix(ask.Page, "/captcha") || len(ask.Picture) == 0 {
		t.Errorf("the request is %+v", ask)
	}
	v, _ := a.Watch(1, ask.Tab)
	if r := v.Control(true, ""); r.Status != http.StatusOK {
		t.Fatalf("control: %d %s", r.Status, r.Raw)
	}
	if looks {
		harness.Wait(t, "the script to look", func() bool { return web.value("tried") != "" })
	}
	solveCaptcha(t, v, ask.Tab)
	if r := v.Control(false, "mind the slider"); r.Status != http.StatusOK {
		t.Fatalf("hand back: %d %s", r.Status, r.Raw)
	}

	if err := <-ended; err != nil {
		t.Fatalf("the script: %v", err)
	}
	var got struct{ Note, Title, URL, Looked string }
	for line := range strings.Lines(out.String()) {
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
	}
	if got.Note != "mind the slider" || got.Title != "inside" || got.URL != web.URL+"/inside" {
		t.Errorf("the script went on with %+v", got)
	}
	waited := got.Looked == "/inside" || strings.Contains(got.Looked, "The user is working in this page")
	if looks && !waited {
		t.Errorf("while the person was in control, the script saw %q", got.Looked)
	}
}
