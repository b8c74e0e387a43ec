package fault

// Calls of tools, pages and files.
const (
	// CodeArguments: The arguments of the tool are not valid.
	CodeArguments Code = "E_ARGUMENTS"
	// CodeBatch: A call of a batch failed; the ones after it were not made.
	CodeBatch Code = "E_BATCH"
	// CodeNoPage: There is no such page.
	CodeNoPage Code = "E_NO_PAGE"
	// CodePageClosed: The selected page was closed, so nothing was done.
	CodePageClosed Code = "E_PAGE_CLOSED"
	// CodePageChanged: The page changed while the person was asked.
	CodePageChanged Code = "E_PAGE_CHANGED"
	// CodeNoTab: The browser has no tab.
	CodeNoTab Code = "E_NO_TAB"
	// CodeTabClosed: The page has been closed.
	CodeTabClosed Code = "E_TAB_CLOSED"
	// CodeTabCrashed: The page has crashed.
	CodeTabCrashed Code = "E_TAB_CRASHED"
	// CodeNotClosed: The page did not close in time.
	CodeNotClosed Code = "E_NOT_CLOSED"
	// CodeNoAnswer: The page does not answer.
	CodeNoAnswer Code = "E_NO_ANSWER"
	// CodeRestless: The page replaces its document again and again.
	CodeRestless Code = "E_RESTLESS"
	// CodeFrameCrashed: The frame has crashed.
	CodeFrameCrashed Code = "E_FRAME_CRASHED"
	// CodeFrameGone: The frame is no longer in the page.
	CodeFrameGone Code = "E_FRAME_GONE"
	// CodeNotLoaded: The address could not be loaded.
	CodeNotLoaded Code = "E_NOT_LOADED"
	// CodeHistory: There is no page to go back or forward to.
	CodeHistory Code = "E_HISTORY"
	// CodeDialogOpen: A dialog of the page is open.
	CodeDialogOpen Code = "E_DIALOG_OPEN"
	// CodeNoDialog: No dialog is open.
	CodeNoDialog Code = "E_NO_DIALOG"
	// CodeNoPageTool: The page offers no such tool.
	CodeNoPageTool Code = "E_NO_PAGE_TOOL"
	// CodePageTool: The tool of the page has failed.
	CodePageTool Code = "E_PAGE_TOOL"
	// CodeToolChanged: The tool of the page is another one than the person was asked about.
	CodeToolChanged Code = "E_CHANGED"
	// CodeLeft: The page went elsewhere before its tool had answered.
	CodeLeft Code = "E_LEFT"
	// CodeFileDenied: The file is outside the folders of the session.
	CodeFileDenied Code = "E_FILE_DENIED"
	// CodeFileProtected: The file is one that agents may not use.
	CodeFileProtected Code = "E_FILE_PROTECTED"
	// CodeNoFile: There is no such file, or it cannot be read.
	CodeNoFile Code = "E_NO_FILE"
	// CodeSlowDisk: The disk is too slow.
	CodeSlowDisk Code = "E_SLOW_DISK"
)

// Elements of a page.
const (
	// CodeUID: The element is no longer on the page.
	CodeUID Code = "E_UID"
	// CodeNotUID: The text is not a uid.
	CodeNotUID Code = "E_NOT_UID"
	// CodeDisabled: The element is disabled.
	CodeDisabled Code = "E_DISABLED"
	// CodeHidden: The element is not visible.
	CodeHidden Code = "E_HIDDEN"
	// CodeCovered: Another element covers the element.
	CodeCovered Code = "E_COVERED"
	// CodeReadonly: The field is read-only.
	CodeReadonly Code = "E_READONLY"
	// CodeFocus: The element does not take the focus.
	CodeFocus Code = "E_FOCUS"
	// CodeNoFocus: No field has the focus.
	CodeNoFocus Code = "E_NO_FOCUS"
	// CodeValue: The element cannot have this value.
	CodeValue Code = "E_VALUE"
	// CodeOption: The element has no such option.
	CodeOption Code = "E_OPTION"
	// CodeOptionClicked: The option of a select cannot be clicked.
	CodeOptionClicked Code = "E_OPTION_CLICKED"
	// CodeNotTaken: The element did not accept the input.
	CodeNotTaken Code = "E_NOT_TAKEN"
	// CodeMissed: The click hit another element.
	CodeMissed Code = "E_MISSED"
	// CodeStalePicture: The page has changed since the screenshot that a place was given in.
	CodeStalePicture Code = "E_STALE_PICTURE"
	// CodeRedrawn: The element was pressed but not clicked.
	CodeRedrawn Code = "E_REDRAWN"
	// CodeNoChooser: The click did not ask for a file.
	CodeNoChooser Code = "E_NO_CHOOSER"
	// CodePicker: The page asks for a file in a way that only a person can answer.
	CodePicker Code = "E_PICKER"
)

// Snapshots, console, network and recordings.
const (
	// CodeSnapshot: There is no such snapshot.
	CodeSnapshot Code = "E_SNAPSHOT"
	// CodeMessage: There is no such console message.
	CodeMessage Code = "E_MESSAGE"
	// CodeRequest: There is no such network request.
	CodeRequest Code = "E_REQUEST"
	// CodeBody: The response's body was not saved.
	CodeBody Code = "E_BODY"
	// CodeRecording: The page is being recorded already.
	CodeRecording Code = "E_RECORDING"
	// CodeNotRecording: The page is not being recorded.
	CodeNotRecording Code = "E_NOT_RECORDING"
	// CodeTracing: The page is being traced already.
	CodeTracing Code = "E_TRACING"
	// CodeNotTracing: The page is not being traced.
	CodeNotTracing Code = "E_NOT_TRACING"
	// CodeNoTrace: The page has not been traced.
	CodeNoTrace Code = "E_NO_TRACE"
	// CodeHeapSnapshot: Another heap snapshot of the page is being taken.
	CodeHeapSnapshot Code = "E_HEAP_SNAPSHOT"
	// CodeNoLighthouse: Lighthouse is not installed.
	CodeNoLighthouse Code = "E_NO_LIGHTHOUSE"
	// CodeLighthouse: Lighthouse could not be run.
	CodeLighthouse Code = "E_LIGHTHOUSE"
)
