//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
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
	base := host(t, routes(map[string]string{"/page": changingPage(), "/other": `<title>other</title><button>Elsewhere</button>`}))
	a := start(t)
	g := newDriver(t, a)
	g.works("navigate_page", object{"url": base + "/page"})
	before := g.works("take_snapshot", nil)
	says(t, before, "Paragraph 59")
	uid := regexp.MustCompile(`uid=(\S+) button "Colour: red"`).FindStringSubmatch(before)[1]

	g.works("take_snapshot", object{"query": "order"}) // a part, which is nothing to compare with
	opened := g.works("click", object{"uid": uid, "includeSnapshot": true})
	says(t, opened, "Since snapshot 1:", `listbox "Colours"`, `option "green"`, "!Paragraph", "!RootWebArea")
	green := regexp.MustCompile(`uid=(\S+) option "green"`).FindStringSubmatch(opened)
	if green == nil {
		t.Fatalf("no option in %s", opened)
	}
	if len(opened) > len(before)/3 {
		t.Errorf("%d bytes about a page of %d", len(opened), len(before))
	}
	chosen := g.works("click", object{"uid": green[1], "includeSnapshot": true})
	says(t, chosen, "Since snapshot 3:", "Colour: green", ` - `, "!Paragraph")
	says(t, g.works("wait_for", object{"text": []string{"Order changed"}}), "Found", "Since snapshot", `heading "Order changed"`, "!Paragraph")
	says(t, g.works("hover", object{"uid": uid, "includeSnapshot": true}), "Nothing changed since snapshot", "!Paragraph")

	g.works("navigate_page", object{"url": base + "/other"})
	says(t, g.works("wait_for", object{"text": []string{"Elsewhere"}}), "RootWebArea", `button "Elsewhere"`, "!Since snapshot")
	g.works("navigate_page", object{"url": base + "/page"})
	uid = g.uid("button", "Colour: red", object{"interactiveOnly": true})
	says(t, g.works("click", object{"uid": uid, "includeSnapshot": true}), "Paragraph 59", "RootWebArea", "!Since snapshot") // it has not seen all of this one
	other := newDriver(t, a)
	says(t, other.works("wait_for", object{"text": []string{"Order"}}), "Paragraph 59", "!Since snapshot")
}

func TestNavigationNamesThePageAndListsNoOthers(t *testing.T) {
	base := host(t, routes(map[string]string{"/page": `<title>One « title » here</title><p>x`}))
	g := newDriver(t, start(t))
	g.opened(base + "/page")
	text := g.works("navigate_page", object{"url": base + "/page?2"})
	says(t, text, "Successfully navigated to "+base+"/page?2", "Page 2: «One ‹ title › here»", "!## Pages", "!<page-")
}

func TestQueryAndSubtreeReachTheEndOfALongPage(t *testing.T) {
	base := host(t, routes(map[string]string{"/long": `<title>long</title><main></main><script>
		const all = []; for (let i = 0; i < 26000; i++) all.push('<button>Row ' + i + '</button>');
		document.querySelector('main').innerHTML = all.join('') + '<section aria-label=Last><button onclick="document.title=1">Needle</button></section>'</script>`}))
	g := newDriver(t, start(t))
	g.works("navigate_page", object{"url": base + "/long"})
	whole := g.works("take_snapshot", nil)
	says(t, whole, "nodes are missing here; query", "maxTokens=20000", "!Needle")
	found := g.works("take_snapshot", object{"query": "needle"})
	says(t, found, "1 match", "!not searched")
	uid := regexp.MustCompile(`uid=(\S+) button "Needle"`).FindStringSubmatch(found)
	if uid == nil {
		t.Fatalf("no uid in %s", found)
	}
	says(t, g.works("take_snapshot", object{"uid": uid[1]}), `button "Needle"`)
	g.works("click", object{"uid": uid[1]})
	if title := g.eval("() => document.title", nil); title != `"1"` {
		t.Errorf("the page is called %s", title)
	}
}
