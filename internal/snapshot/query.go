package snapshot

func (v *view) query() string { return v.whole("") }
func (v *view) since() string { return v.whole("") }
