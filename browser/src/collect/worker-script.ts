// What does the text of the worker do, where that is its own? It reads the facts that the page names.

import { answerPage } from './worker.ts'

answerPage()
