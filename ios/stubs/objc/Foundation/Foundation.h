// Foundation for sources that include its header; the compiler's headers for apps do.
#pragma once
@import Foundation;
