// What does the text of the worker do, where it is a text of its own? It reads the facts that the page names.

import { answerPage } from './worker.ts'

answerPage()
