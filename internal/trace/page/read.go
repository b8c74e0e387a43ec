package page

import "cove/internal/trace/event"

// Reader returns the function that reads events of this name about frames, threads and navigations, or nil for others.
func (p *Page) Reader(name string) func(*event.Event) bool {
	switch name {
	case "TracingStartedInBrowser":
		return p.readStart
	case "FrameCommittedInBrowser", "CommitLoad":
		return p.readFrame
	case "thread_name":
		return p.readThread
	case "navigationStart":
		return p.readNavigation
	}
	return nil
}

type frameArgs struct {
	Frame   string `json:"frame"`
	Parent  string `json:"parent"`
	URL     string `json:"url"`
	PID     int    `json:"processId"`
	Primary *bool  `json:"isInPrimaryMainFrame"`
}

func (p *Page) readStart(e *event.Event) bool {
	var a struct {
		Data struct{ Frames []frameArgs }
	}
	if !e.Decode(&a) {
		return false
	}

	p.Started = e.Start()
	for _, f := range a.Data.Frames {
		p.addFrame(f, e.Start())
		if p.Main == "" && f.Parent == "" && (f.Primary == nil || *f.Primary) {
			p.Main, p.PID, p.URL = f.Frame, f.PID, f.URL
		}
	}
	return true
}

func (p *Page) readFrame(e *event.Event) bool {
	var a struct{ Data frameArgs }
	if !e.Decode(&a) || a.Data.Frame == "" {
		return false
	}

	p.addFrame(a.Data, e.Start())
	if a.Data.Parent == "" {
		p.commits = append(p.commits, commit{e.Start(), a.Data.Frame, a.Data.URL})
	}
	return true
}

// SawFrame records that an event named a frame. An iframe is in the page some time before it is committed.
func (p *Page) SawFrame(id string, at int64) { p.addFrame(frameArgs{Frame: id}, at) }

func (p *Page) addFrame(f frameArgs, at int64) {
	known := p.frames[f.Frame]
	if known == nil {
		known = &Frame{ID: f.Frame}
		p.frames[f.Frame] = known
	}
	if known.First == 0 || at < known.First {
		known.First = at
	}
	if f.Parent != "" {
		known.Parent = f.Parent
	}
	if f.URL != "" {
		known.URL = f.URL
	}
}

func (p *Page) readThread(e *event.Event) bool {
	var a struct{ Name string }
	if !e.Decode(&a) || a.Name != "CrRendererMain" {
		return false
	}

	p.threads[e.Thread()] = true
	return true
}

func (p *Page) readNavigation(e *event.Event) bool {
	var a struct {
		Frame string
		Data  struct {
			URL       string `json:"documentLoaderURL"`
			ID        string `json:"navigationId"`
			Outermost *bool  `json:"isOutermostMainFrame"`
			Loading   *bool  `json:"isLoadingMainFrame"`
		}
	}
	if !e.Decode(&a) || a.Data.URL == "" || a.Data.URL == "about:blank" || a.Data.ID == "" {
		return false
	}
	for _, no := range []*bool{a.Data.Outermost, a.Data.Loading} {
		if no != nil && !*no {
			return false
		}
	}
	if p.navigation(a.Data.ID) {
		return false
	}

	p.Navigations = append(
		p.Navigations,
		Navigation{At: e.Start(), ID: a.Data.ID, Frame: a.Frame, PID: e.PID, URL: a.Data.URL},
	)
	return true
}
