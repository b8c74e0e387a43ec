package trace

// input is one event of an interaction, with its three times.
type input struct {
	at, processed, done, end int64 // it came, its handlers began, they ended, the next frame was shown
	interaction              int
	frame                    string
	kind                     string
	node                     node
}

func (t *Trace) readInput(e *event) bool {
	var a struct {
		Data struct {
			Interaction int     `json:"interactionId"`
			Frame       string  `json:"frame"`
			Kind        string  `json:"type"`
			Node        int     `json:"nodeId"`
			Stamp       float64 `json:"timeStamp"`
			Start       float64 `json:"processingStart"`
			End         float64 `json:"processingEnd"`
			Duration    float64 `json:"duration"`
		}
	}
	// The beginning of the pair says all; an event without an interaction is a movement of the mouse or the like.
	if e.Phase != "b" || !e.into(&a) || a.Data.Interaction == 0 {
		return false
	}
	from := e.at()
	after := func(ms float64) int64 { return from + int64(max(ms, 0)*1e3) }
	i := input{
		at: from, processed: after(a.Data.Start - a.Data.Stamp), done: after(a.Data.End - a.Data.Stamp),
		end:         after(a.Data.Duration),
		interaction: a.Data.Interaction, frame: a.Data.Frame, kind: a.Data.Kind, node: node{e.PID, a.Data.Node},
	}
	i.done = max(i.done, i.processed)
	i.end = max(i.end, i.done)
	t.inputs = append(t.inputs, i)
	return true
}
