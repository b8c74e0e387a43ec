//go:build e2e

package tools

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// changingPage has much that stays, and a list that opens and closes.
func changingPage() string {
	var b strings.Builder
	b.WriteString(`<title>changing</title><main><h1>Order</h1><button id=pick aria-haspopup=listbox aria-expanded=false>Colour: red</button><div id=list role=listbox aria-label=Colours hidden></div>`)
	for i := range 60 {
		fmt.Fprintf(&b, "<p>Paragraph %d stays as it is.</p>", i)
	}
	b.WriteString(`</main><script>pick.onclick = () => { pick.setAttribute('aria-expanded', 'true'); list.hidden = false;
		list.innerHTML = ['red', 'green', 'blue'].map((c) => '<div role=option tabindex=-1>' + c + '</div>').join('');
		for (const o of list.children) o.onclick = () => { pick.textContent = 'Colour: ' + o.textContent; pick.setAttribute('aria-expanded', 'false'); list.hidden = true; list.innerHTML = '';
			setTimeout(() => document.querySelector('h1').textContent = 'Order changed', 300) } }</script>`)
	return b.String()
}

func TestAnActionTellsWhatItChanged(t *testing.T) {
	base := host(t, routes(map[string]string{"/page": changingPage(),
		"/other": `<title>other</title><button>Elsewhere</button>`}))
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	g.Works("navigate_page", harness.Object{"url": base + "/page"})
	before := g.Works("take_snapshot", nil)
	says(t, before, "Paragraph 59")
	uid := regexp.MustCompile(`uid=(\S+) button "Colour: red"`).FindStringSubmatch(before)[1]

	g.Works("take_snapshot", harness.Object{"query": "order"}) // a part, which is nothing to compare with
	opened := g.Works("click", harness.Object{"uid": uid, "includeSnapshot": true})
	says(t, opened, "Since snapshot 1:", `listbox "Colours"`, `option "green"`, "!Paragraph", "!RootWebArea")
	green := regexp.MustCompile(`uid=(\S+) option "green"`).FindStringSubmatch(opened)
	if green == nil {
		t.Fatalf("no option in %s", opened)
	}
	if len(opened) > len(before)/3 {
		t.Errorf("%d bytes about a page of %d", len(opened), len(before))
	}
	chosen := g.Works("click", harness.Object{"uid": green[1], "includeSnapshot": true})
	says(t, chosen, "Since snapshot 3:", "Colour: green", ` - `, "!Paragraph")
	says(t, g.Works("wait_for", harness.Object{"text": []string{"Order changed"}}), "Found", "Since snapshot",
		`heading "Order changed"`, "!Paragraph")
	says(t, g.Works("hover", harness.Object{"uid": uid, "includeSnapshot": true}), "Nothing changed since snapshot",
		"!Paragraph")

	g.Works("navigate_page", harness.Object{"url": base + "/other"})
	says(t, g.Works("wait_for", harness.Object{"text": []string{"Elsewhere"}}), "RootWebArea", `button "Elsewhere"`,
		"!Since snapshot")
	g.Works("navigate_page", harness.Object{"url": base + "/page"})
	uid = g.UID("button", "Colour: red", harness.Object{"interactiveOnly": true})
	// It has not seen all of this one.
	says(t, g.Works("click", harness.Object{"uid": uid, "includeSnapshot": true}), "Paragraph 59", "RootWebArea",
		"!Since snapshot")
	other := harness.NewDriver(t, a)
	says(t, other.Works("wait_for", harness.Object{"text": []string{"Order"}}), "Paragraph 59", "!Since snapshot")
}

func TestNavigationNamesThePageAndListsNoOthers(t *testing.T) {
	base := host(t, routes(map[string]string{"/page": `<title>One « title » here</title><p>x`}))
	g := harness.NewDriver(t, harness.Start(t))
	g.Opened(base + "/page")
	text := g.Works("navigate_page", harness.Object{"url": base + "/page?2"})
	says(t, text, "Successfully navigated to "+base+"/page?2", "Page 2: «One ‹ title › here»", "!## Pages", "!<page-")
}

func TestQueryAndSubtreeReachTheEndOfALongPage(t *testing.T) {
	base := host(t, routes(map[string]string{"/long": `<title>long</title><main></main><script>
		const all = []; for (let i = 0; i < 26000; i++) all.push('<button>Row ' + i + '</button>');
		document.querySelector('main').innerHTML = all.join('') + '<section aria-label=Last><button onclick="document.title=1">Needle</button></section>'</script>`}))
	g := harness.NewDriver(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base + "/long"})
	whole := g.Works("take_snapshot", nil)
	says(t, whole, "nodes are missing here; query", "maxTokens=20000", "!Needle")
	found := g.Works("take_snapshot", harness.Object{"query": "needle"})
	says(t, found, "1 match", "!not searched")
	uid := regexp.MustCompile(`uid=(\S+) button "Needle"`).FindStringSubmatch(found)
	if uid == nil {
		t.Fatalf("no uid in %s", found)
	}
	says(t, g.Works("take_snapshot", harness.Object{"uid": uid[1]}), `button "Needle"`)
	g.Works("click", harness.Object{"uid": uid[1]})
	if title := g.Eval("() => document.title", nil); title != `"1"` {
		t.Errorf("the page is called %s", title)
	}
}
