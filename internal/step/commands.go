package step

import (
	"encoding/json"
	"sync"

	"cove/internal/wording"
)

// commands are the words for what programs do at the gate: methods of the browser's protocol, and what the gate itself
// records of a program.
var commands = sync.OnceValue(func() map[string]phrase {
	closeTab := act("close", "Closed", "Closing", said("a tab"))
	front := act("bring", "Brought", "Bringing", said("a tab to the front"))
	script := act("run", "Ran", "Running", said("a script in the page"))
	readCookies := read("read", "Read", "Reading", said("cookies"))
	setCookies := act("change", "Changed", "Changing", said("cookies"))
	clearCookies := act("delete", "Deleted", "Deleting", said("cookies"))
	shown := act("change", "Changed", "Changing", said("how the page is shown"))
	requests := act("change", "Changed", "Changing", said("a request of the page"))
	attach := read("attach", "Attached", "Attaching", said("to a tab"))

	return map[string]phrase{
		"connected":    {kind: Record, whole: said("Connected")},
		"disconnected": {kind: Record, whole: said("Disconnected")},
		"looked":       read("read", "Read", "Reading", looked),
		"picture":      {kind: Record, whole: said("Took a picture of the page for the journal")},

		"Page.navigate": opens(addressOf), "Target.createTarget": opens(newTab),
		"Page.close": closeTab, "Target.closeTarget": closeTab,
		"Page.bringToFront": front, "Target.activateTarget": front,
		"Page.reload":                        act("load", "Loaded", "Loading", said("the page again")),
		"Page.navigateToHistoryEntry":        act("go", "Went", "Going", said("back or forward")),
		"Page.stopLoading":                   act("stop", "Stopped", "Stopping", said("loading the page")),
		"Page.printToPDF":                    act("save", "Saved", "Saving", said("the page as a PDF")),
		"Page.captureScreenshot":             read("take", "Took", "Taking", said("a screenshot")),
		"Page.handleJavaScriptDialog":        act("answer", "Answered", "Answering", said("the page's dialog")),
		"Page.setDocumentContent":            act("replace", "Replaced", "Replacing", said("the content of the page")),
		"Page.setInterceptFileChooserDialog": act("take", "Took", "Taking", said("over the choice of files")),
		"Browser.close":                      act("close", "Closed", "Closing", said("its connection to the browser")),
		"Browser.setDownloadBehavior":        act("change", "Changed", "Changing", said("where downloads go")),
		"Page.setDownloadBehavior":           act("change", "Changed", "Changing", said("where downloads go")),
		"Browser.grantPermissions":           act("give", "Gave", "Giving", said("a site permissions")),
		"Browser.setPermission":              act("change", "Changed", "Changing", said("a permission of a site")),
		"Browser.setWindowBounds":            act("resize", "Resized", "Resizing", said("the window")),
		"Target.createBrowserContext":        act("open", "Opened", "Opening", said("a separate session of cookies")),
		"Target.disposeBrowserContext":       act("close", "Closed", "Closing", said("a separate session of cookies")),
		"Target.attachToTarget":              attach,
		"Target.attachToBrowserTarget":       attach,
		"WebMCP.invokeTool":                  act("call", "Called", "Calling", said("a tool of the page")),
		"WebMCP.cancelInvocation":            act("cancel", "Cancelled", "Cancelling", said("a call of a page's tool")),
		"Input.dispatchMouseEvent":           {kind: Act, base: "use the mouse", whole: mouse},
		"Input.dispatchKeyEvent":             {kind: Act, base: "use the keyboard", whole: keyboard},
		"Input.insertText":                   act("type", "Typed", "Typing", said("text")),
		"Input.imeSetComposition":            act("type", "Typed", "Typing", said("text")),
		"Input.dispatchTouchEvent":           act("touch", "Touched", "Touching", said("the page")),
		"Input.dispatchDragEvent":            act("drag", "Dragged", "Dragging", said("something in the page")),
		"Input.synthesizeTapGesture":         act("tap", "Tapped", "Tapping", said("the page")),
		"Input.synthesizeScrollGesture":      act("scroll", "Scrolled", "Scrolling", said("the page")),
		"Input.synthesizePinchGesture":       act("zoom", "Zoomed", "Zooming", said("the page")),
		"Runtime.evaluate":                   script, "Runtime.callFunctionOn": script, "Runtime.runScript": script,
		"Page.addScriptToEvaluateOnNewDocument": act("add", "Added", "Adding", said("a script to every new page")),
		"Runtime.addBinding":                    act("add", "Added", "Adding", said("a function to the page")),
		"DOM.focus":                             act("put", "Put", "Putting", said("the focus on an element")),
		"DOM.scrollIntoViewIfNeeded":            act("scroll", "Scrolled", "Scrolling", said("to an element")),
		"DOM.setFileInputFiles":                 act("give", "Gave", "Giving", said("the page files of this computer")),
		"DOM.setAttributeValue":                 act("change", "Changed", "Changing", said("an element of the page")),
		"Network.getCookies":                    readCookies, "Network.getAllCookies": readCookies,
		"Storage.getCookies": readCookies, "Network.setCookie": setCookies, "Network.setCookies": setCookies,
		"Storage.setCookies": setCookies, "Network.deleteCookies": clearCookies,
		"Network.clearBrowserCookies": clearCookies, "Storage.clearCookies": clearCookies,
		"Network.clearBrowserCache":            act("empty", "Emptied", "Emptying", said("the cache")),
		"Storage.clearDataForOrigin":           act("delete", "Deleted", "Deleting", said("what a site has stored")),
		"Network.setExtraHTTPHeaders":          act("add", "Added", "Adding", said("headers to the page's requests")),
		"Network.setUserAgentOverride":         shown,
		"Network.emulateNetworkConditions":     act("change", "Changed", "Changing", said("the emulated network")),
		"Emulation.setDeviceMetricsOverride":   shown,
		"Emulation.clearDeviceMetricsOverride": shown,
		"Emulation.setUserAgentOverride":       shown, "Emulation.setEmulatedMedia": shown,
		"Emulation.setTouchEmulationEnabled": shown, "Emulation.setLocaleOverride": shown,
		"Emulation.setTimezoneOverride":    shown,
		"Emulation.setGeolocationOverride": act("change", "Changed", "Changing", said("the place that the page sees")),
		"Fetch.enable":                     act("begin", "Began", "Beginning", said("to intercept requests")),
		"Fetch.continueRequest":            requests, "Fetch.fulfillRequest": requests, "Fetch.failRequest": requests,
		"Fetch.continueResponse":         requests,
		"Network.setRequestInterception": act("begin", "Began", "Beginning", said("to intercept requests")),
		"Tracing.start":                  act("record", "Recorded", "Recording", said("a performance trace")),
		"Tracing.end":                    act("end", "Ended", "Ending", said("the performance trace")),
	}
})

// looked says how many commands of a program only read.
func looked(f Facts) string {
	var counts map[string]int
	_ = json.Unmarshal(f.Args, &counts)
	n := 0
	for _, one := range counts {
		n += one
	}
	if n == 0 {
		return "the page"
	}
	return "the page (" + wording.Count(n, "command") + ")"
}

// mouse says what a mouse event did, for all outcomes: the words behind "Denied:" are the same.
func mouse(f Facts) string {
	switch f.arguments().Type {
	case "mousePressed":
		return "Pressed the mouse button"
	case "mouseReleased":
		return "Released the mouse button"
	case "mouseWheel":
		return "Scrolled with the mouse"
	case "mouseMoved":
		return "Moved the mouse"
	}
	return "Used the mouse"
}

func keyboard(f Facts) string {
	switch f.arguments().Type {
	case "keyUp":
		return "Released a key"
	case "char":
		return "Typed a character"
	}
	return "Pressed a key"
}
