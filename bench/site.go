package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// newSite serves the pages of the measurement.
func newSite() *httptest.Server {
	mux := http.NewServeMux()
	for name, body := range map[string]string{
		"small": smallPage, "article": articlePage(), "large": largePage(), "form": formPage(),
	} {
		text := "<!doctype html><html lang=en><meta charset=utf-8><title>" + name + "</title><body>" + body
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(text))
		})
	}
	return httptest.NewServer(mux)
}

const smallPage = `<h1>Small page</h1><p>Some text before <a href=/form>the form</a>.</p>
<button onclick="document.getElementById('n').textContent = ++window.n">Count</button> <output id=n>0</output>
<label>Name <input id=name></label><script>window.n = 0</script>`

// nouns make texts that differ from each other and compress as prose does.
var nouns = strings.Fields(`harbour lantern meadow orchard granite ferry archive quarry beacon valley copper gallery
	willow museum compass station cathedral plateau observatory viaduct peninsula monastery brewery aqueduct cellar
	rampart lagoon citadel parish foundry`)

func noun(i int) string { return nouns[i*i%97%len(nouns)] + " " + nouns[i*7%len(nouns)] }

// articlePage is an encyclopedia's: sections of paragraphs with 300 links among the words.
func articlePage() string {
	var b strings.Builder
	b.WriteString("<main><h1>History of the harbour</h1>")
	for link := range 300 {
		if link%50 == 0 {
			fmt.Fprintf(&b, "<h2>The %s</h2>", noun(link))
		}
		if link%5 == 0 {
			b.WriteString("<p>")
		}
		const sentence = "In the year %d the <a href=/wiki/%s_%d>%s %d</a> was rebuilt beside the %s, " +
			"kept since the %s was given up. "
		fmt.Fprintf(&b, sentence,
			1500+link, strings.ReplaceAll(noun(link), " ", "_"), link, noun(link), link, noun(link+1), noun(link+2))
	}
	return b.String() + "</main>"
}

// largePage has 5,000 elements in 1,250 rows: a text, a link, a button and a field each.
func largePage() string {
	var b strings.Builder
	b.WriteString("<h1>Orders</h1>")
	for i := range 1250 {
		const row = "<div><span>Order %[1]d</span><a href=/order/%[1]d>Open %[1]d</a><button>Edit %[1]d</button>" +
			"<input aria-label='Note %[1]d'></div>\n"
		fmt.Fprintf(&b, row, i)
	}
	return b.String()
}

func formPage() string {
	var b strings.Builder
	b.WriteString("<h1>Address</h1><form>")
	for i := range 10 {
		fmt.Fprintf(&b, "<p><label>Field %d <input name=f%d></label></p>", i, i)
	}
	return b.String() + "<button type=button>Send</button></form>"
}
