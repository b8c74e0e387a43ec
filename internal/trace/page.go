package trace

// frame is one document's place in a page.
type frame struct {
	parent, url string
	first       int64 // when it was heard of first
}

// navigation is the start of a document in the page's main frame.
type navigation struct {
	at    int64
	id    string
	frame string
	pid   int
	url   string
}

// commit is the moment when a main frame took on a document.
type commit struct {
	at         int64
	frame, url string
}

type frameArgs struct {
	Frame   string `json:"frame"`
	Parent  string `json:"parent"`
	URL     string `json:"url"`
	PID     int    `json:"processId"`
	Primary *bool  `json:"isInPrimaryMainFrame"`
}

func (t *Trace) readStart(e *event) bool {
	var a struct {
		Data struct{ Frames []frameArgs }
	}
	if !e.into(&a) {
		return false
	}
	t.started = e.at()
	for _, f := range a.Data.Frames {
		t.meet(f, e.at())
		if t.main == "" && f.Parent == "" && (f.Primary == nil || *f.Primary) {
			t.main, t.pid, t.pageURL = f.Frame, f.PID, f.URL
		}
	}
	return true
}

func (t *Trace) readFrame(e *event) bool {
	var a struct{ Data frameArgs }
	if !e.into(&a) || a.Data.Frame == "" {
		return false
	}
	t.meet(a.Data, e.at())
	if a.Data.Parent == "" {
		t.commits = append(t.commits, commit{e.at(), a.Data.Frame, a.Data.URL})
	}
	return true
}

func (t *Trace) meet(f frameArgs, at int64) {
	known := t.frames[f.Frame]
	if known.first == 0 || at < known.first {
		known.first = at
	}
	if f.Parent != "" {
		known.parent = f.Parent
	}
	if f.URL != "" {
		known.url = f.URL
	}
	t.frames[f.Frame] = known
}

// inPage reports whether a frame is in the recorded page. A trace holds all tabs; without a named page all of them
// count.
func (t *Trace) inPage(id string) bool {
	if t.main == "" || id == "" {
		return t.main == ""
	}
	for range 64 { // frames do not nest deeper, and a malformed trace may hold a circle
		if id == t.main {
			return true
		}
		if id = t.frames[id].parent; id == "" {
			return false
		}
	}
	return false
}

func (t *Trace) readThread(e *event) bool {
	var a struct{ Name string }
	if !e.into(&a) || a.Name != "CrRendererMain" {
		return false
	}
	t.threads[thread{e.PID, e.TID}] = true
	return true
}

func (t *Trace) readNavigation(e *event) bool {
	var a struct {
		Frame string
		Data  struct {
			URL       string `json:"documentLoaderURL"`
			ID        string `json:"navigationId"`
			Outermost *bool  `json:"isOutermostMainFrame"`
			Loading   *bool  `json:"isLoadingMainFrame"`
		}
	}
	if !e.into(&a) || a.Data.URL == "" || a.Data.URL == "about:blank" || a.Data.ID == "" {
		return false
	}
	for _, no := range []*bool{a.Data.Outermost, a.Data.Loading} {
		if no != nil && !*no {
			return false
		}
	}
	for _, n := range t.navigations {
		if n.id == a.Data.ID {
			return false
		}
	}
	t.navigations = append(
		t.navigations,
		navigation{at: e.at(), id: a.Data.ID, frame: a.Frame, pid: e.PID, url: a.Data.URL},
	)
	return true
}

// recover finds navigations whose beginning is missing: a new process joins the recording some time after it has begun
// to work. The browser's own process still says when the document was requested, and the first paint says its name.
func (t *Trace) recover() {
	known := map[string]bool{}
	for _, n := range t.navigations {
		known[n.id] = true
	}
	for _, c := range t.candidates {
		doc := t.requests[requestKey{0, c.navigation}]
		if known[c.navigation] || doc == nil || len(doc.hops) == 0 {
			continue
		}
		known[c.navigation], t.late = true, true
		n := navigation{at: doc.hops[0], id: c.navigation, frame: c.frame, pid: c.node.pid}
		for _, commit := range t.commits {
			if commit.frame == c.frame && commit.at >= n.at && n.url == "" {
				n.url = commit.url
			}
		}
		t.navigations = append(t.navigations, n)
	}
}

func (t *Trace) readPaint(e *event) bool {
	var a struct {
		Data struct {
			ID string `json:"navigationId"`
		}
	}
	if !e.into(&a) || a.Data.ID == "" {
		return false
	}
	t.paints[a.Data.ID] = e.at()
	return true
}
