package api

// PageInfo is what every list says of the page that it returns.
type PageInfo struct {
	CurrentPage int `json:"current_page"`
	// From and To are the positions of the first and the last item of the page in the whole list, from 1. An empty page
	// has none.
	From         *int    `json:"from"`
	To           *int    `json:"to"`
	PerPage      int     `json:"per_page"`
	LastPage     int     `json:"last_page"`
	Total        int     `json:"total"`
	Path         string  `json:"path"`
	FirstPageURL string  `json:"first_page_url"`
	LastPageURL  string  `json:"last_page_url"`
	NextPageURL  *string `json:"next_page_url"`
	PrevPageURL  *string `json:"prev_page_url"`
}
